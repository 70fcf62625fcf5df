package dev.waybill.schema;

import org.jooq.DSLContext;
import org.jooq.impl.DSL;

public final class FeatureMissing extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    FeatureMissing(String table, SchemaName schema) {
        super("There is no table " + table + " in schema '" + schema + "' that this role may see: the feature '"
                + FeatureTables.featureOf(table) + "' is not installed. Run 'waybill-relay migrate up "
                + FeatureTables.featureOf(table) + "' as the owner of the tables, and grant the role its rights");
    }

    /** Throws this if the feature's main table, such as {@code dead_letter_message}, does not exist. */
    public static void require(DSLContext dsl, SchemaName schema, String table) {
        if (!isInstalled(dsl, schema, table)) {
            throw new FeatureMissing(table, schema);
        }
    }

    public static boolean isInstalled(DSLContext dsl, SchemaName schema, String table) {
        return dsl.fetchSingle("select to_regclass({0}) is not null", DSL.val(schema.table(table)))
                .get(0, Boolean.class);
    }
}
