package dev.waybill.schema;

import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which version of the tables this code was written for, and whether the database has it. */
public final class SchemaVersion {
    /** The newest migration that this code knows. */
    public static final int CURRENT = 23;

    private static final Logger LOG = LoggerFactory.getLogger(SchemaVersion.class);

    private SchemaVersion() {}

    /**
     * Refuses tables that are missing or older than this code. Newer ones are taken, with a warning: during a rolling
     * upgrade the old code runs beside the new tables. Tables that were applied without a
     * history, or whose history this role may not read, are taken as they are.
     *
     * @throws IllegalStateException saying what is there, what is needed and what to do
     */
    public static void require(DSLContext dsl, SchemaName schema) {
        if (!exists(dsl, schema.table("outbox_message"))) {
            throw new IllegalStateException("There are no Waybill tables in schema '" + schema
                    + "' that this role may see; apply the migrations, and grant the role usage of the schema");
        }
        if (!isReadable(dsl, schema.table("waybill_migration"))) {
            return;
        }
        int installed = installed(dsl, schema);
        if (installed < CURRENT) {
            throw new IllegalStateException("The tables in schema '" + schema + "' are of version " + installed
                    + ", this code needs version " + CURRENT + "; apply the migrations");
        }
        if (installed > CURRENT) {
            LOG.warn(
                    "The tables in schema '{}' are of version {}, newer than the {} of this code; fine while an upgrade"
                            + " is rolled out",
                    schema,
                    installed,
                    CURRENT);
        }
    }

    private static boolean exists(DSLContext dsl, String table) {
        return dsl.fetchSingle("select to_regclass({0}) is not null", DSL.inline(table))
                .get(0, Boolean.class);
    }

    private static boolean isReadable(DSLContext dsl, String table) {
        return dsl.fetchSingle(
                        "select coalesce(has_table_privilege(to_regclass({0})::oid, 'select'), false)",
                        DSL.inline(table))
                .get(0, Boolean.class);
    }

    private static int installed(DSLContext dsl, SchemaName schema) {
        @Nullable Integer version = dsl.fetchSingle(
                        "select max(version::integer) from " + schema.table("waybill_migration") + " where success")
                .get(0, Integer.class);
        return version == null ? 0 : version;
    }
}
