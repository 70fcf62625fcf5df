package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** The grants that a relay needs, which {@code Role.RELAY} has. */
public final class RelayGrants {
    private RelayGrants() {}

    /** A privilege, as in a GRANT, on a table or sequence of the schema. */
    public record Missing(String privilege, String object) {
        @Override
        public String toString() {
            return privilege + " on " + object;
        }
    }

    /** The grants that the current role lacks, by object. Omits objects that do not exist. */
    public static List<Missing> missing(DSLContext dsl, SchemaName schema) {
        return dsl.fetch(new SqlFiles(RelayGrants.class, schema).get("grants-lacking"))
                .map(row -> new Missing(row.get("privilege", String.class), row.get("object", String.class)));
    }

    /** Checks all grants at the start, because some are needed only for refused messages. */
    static void require(DSLContext dsl, SchemaName schema) {
        List<Missing> missing = missing(dsl, schema);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("The relay's role lacks "
                    + missing.stream().map(Missing::toString).collect(Collectors.joining(", "))
                    + "; give it the grants that Role.RELAY prints for schema '" + schema + "'");
        }
    }
}
