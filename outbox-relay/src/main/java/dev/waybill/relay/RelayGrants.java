package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** The rights that a relay needs, all of which {@code Role.RELAY} gives. */
public final class RelayGrants {
    private RelayGrants() {}

    /**
     * A right that the current role has not.
     *
     * @param privilege as in a GRANT
     * @param object a table or sequence of the schema, without the schema's name
     */
    public record Missing(String privilege, String object) {
        @Override
        public String toString() {
            return privilege + " on " + object;
        }
    }

    /** The rights that the current role lacks, in the order of the objects' names. Objects that do not exist are left out. */
    public static List<Missing> missing(DSLContext dsl, SchemaName schema) {
        return dsl.fetch(new SqlFiles(RelayGrants.class, schema).get("grants-lacking"))
                .map(row -> new Missing(row.get("privilege", String.class), row.get("object", String.class)));
    }

    /**
     * Refuses a role with too few rights: some are needed only when a message is refused.
     *
     * @throws IllegalStateException naming what is missing
     */
    static void require(DSLContext dsl, SchemaName schema) {
        List<Missing> missing = missing(dsl, schema);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("The relay's role lacks "
                    + missing.stream().map(Missing::toString).collect(Collectors.joining(", "))
                    + "; give it the grants that Role.RELAY prints for schema '" + schema + "'");
        }
    }
}
