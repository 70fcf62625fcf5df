package dev.waybill.standalone.database;

import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.jooq.Waybill;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** Checks that the database has the tables of this version. */
public final class InstalledTables {
    private static final int SHOWN = 3;
    private static final String NO_TABLE = "42P01";

    private static final Set<String> NOT_THERE = Set.of(NO_TABLE, "42703", "42883");

    private static final Pattern RELATION = Pattern.compile("relation \"(?:\\w+\\.)?(\\w+)\"");

    private final DSLContext dsl;
    private final SchemaName schema;

    private InstalledTables(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /**
     * Refuses a schema without an outbox and an inbox.
     *
     * @throws IllegalStateException naming what is missing and what to do
     */
    public static void require(DataSource dataSource, SchemaName schema) {
        require(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
    }

    static void require(DSLContext dsl, SchemaName schema) {
        new InstalledTables(dsl, schema).require();
    }

    /** Explains a failure that comes from a missing table, column or function; returns any other failure unchanged. */
    public static RuntimeException explained(DataAccessException failure, DataSource dataSource, SchemaName schema) {
        if (!NOT_THERE.contains(failure.sqlState())) {
            return failure;
        }
        try {
            var installed = new InstalledTables(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
            installed.require();
            Matcher table = RELATION.matcher(String.valueOf(failure.getMessage()));
            if (NO_TABLE.equals(failure.sqlState()) && table.find()) {
                FeatureMissing.require(installed.dsl, schema, table.group(1));
            }
            installed.requireColumns();
            return failure;
        } catch (IllegalStateException missing) {
            // As a cause, it would be reported as the reason.
            missing.addSuppressed(failure);
            return missing;
        } catch (DataAccessException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }

    private void require() {
        if (!FeatureMissing.isInstalled(dsl, schema, "outbox_message")
                && !FeatureMissing.isInstalled(dsl, schema, "inbox_message")) {
            throw new IllegalStateException(
                    "There are no Waybill tables in schema '" + schema
                            + "' that this role may see; run 'waybill-relay migrate up', or grant the role usage of the schema");
        }
    }

    private void requireColumns() {
        List<String> missing =
                dsl.fetch(MISSING, DSL.val(columns()), DSL.val(schema.value())).getValues(0, String.class);
        if (!missing.isEmpty()) {
            int more = missing.size() - SHOWN;
            throw new IllegalStateException("The tables in schema '" + schema
                    + "' are not those of this program: they lack "
                    + String.join(", ", missing.subList(0, Math.min(SHOWN, missing.size())))
                    + (more > 0 ? " and " + more + " more columns" : "")
                    + "; use the program that belongs to them, or run 'waybill-relay migrate up'");
        }
    }

    private static String[] columns() {
        return Waybill.WAYBILL.getTables().stream()
                .flatMap(table -> table.fieldStream().map(field -> table.getName() + "." + field.getName()))
                .toArray(String[]::new);
    }

    // Features that are not installed are not missing.
    private static final String MISSING = """
            select n from unnest({0}) as c(n)
            where to_regclass(quote_ident({1}) || '.' || split_part(n, '.', 1)) is not null
            except
            select c.relname || '.' || a.attname
            from pg_catalog.pg_attribute a
            join pg_catalog.pg_class c on c.oid = a.attrelid
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = {1} and not a.attisdropped
            order by 1
            """;
}
