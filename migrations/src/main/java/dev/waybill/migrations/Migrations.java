package dev.waybill.migrations;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Creates and checks Waybill's tables. Needs a role that may create the schema; the running services do not.
 *
 * <p>Several processes may apply at once: Flyway's lock lets one work and the others find it done.
 */
public final class Migrations {
    private static final String HISTORY_TABLE = "waybill_migration";

    private final Flyway flyway;
    private final SchemaName schema;

    private Migrations(DataSource dataSource, SchemaName schema) {
        this.schema = schema;
        this.flyway = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .schemas(schema.value())
                .defaultSchema(schema.value())
                .table(HISTORY_TABLE)
                .locations("classpath:" + MigrationScripts.LOCATION)
                .load();
    }

    /** Migrations of {@link SchemaName#DEFAULT}. */
    public static Migrations of(DataSource dataSource) {
        return of(dataSource, SchemaName.DEFAULT);
    }

    /** Migrations of another schema of the same database. */
    public static Migrations of(DataSource dataSource, SchemaName schema) {
        return new Migrations(dataSource, schema);
    }

    /**
     * Brings the schema to the version of this code.
     *
     * @return how many migrations were applied; 0 if it was there already
     */
    public int apply() {
        return flyway.migrate().migrationsExecuted;
    }

    /**
     * Checks that the schema is what this code expects.
     *
     * @throws org.flywaydb.core.api.FlywayException naming what is missing, changed or newer
     */
    public void validate() {
        flyway.validate();
    }

    /** The statements of all versions in order, for those who apply them with a tool of their own. */
    public String sql() {
        return sql(schema, 0);
    }

    /**
     * The statements that bring tables from one version to that of this code, for those who apply them with a tool of
     * their own. Asks no database. They set {@code search_path}, and belong into one transaction.
     *
     * @param after the version of the tables; 0 if there are none
     * @throws IllegalArgumentException if there is no such version
     */
    public static String sql(SchemaName schema, int after) {
        return sql(schema, after, SchemaVersion.CURRENT);
    }

    /**
     * The same up to an older version than that of this code.
     *
     * @param from the version of the tables; 0 if there are none
     * @param to the version that they are brought to
     * @throws IllegalArgumentException if there is no such version, or the way leads back
     */
    public static String sql(SchemaName schema, int from, int to) {
        return MigrationScripts.between(schema, from, to);
    }
}
