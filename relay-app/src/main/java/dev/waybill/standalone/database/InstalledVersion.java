package dev.waybill.standalone.database;

import dev.waybill.schema.SchemaName;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Which version of the tables a database has. */
public final class InstalledVersion {
    private InstalledVersion() {}

    /** The newest migration that was applied; 0 without tables, or without a history. */
    public static int of(DataSource dataSource, SchemaName schema) {
        var dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        String history = schema.table("waybill_migration");
        boolean known = dsl.fetchSingle("select to_regclass({0}) is not null", DSL.inline(history))
                .get(0, Boolean.class);
        if (!known) {
            return 0;
        }
        @Nullable Integer version = dsl.fetchSingle("select max(version::integer) from " + history + " where success")
                .get(0, Integer.class);
        return version == null ? 0 : version;
    }
}
