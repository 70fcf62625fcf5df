package dev.waybill.migrations;

import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/**
 * Creates and checks Waybill's tables. Needs a role that may create the schema; the running services do not.
 *
 * <p>Several processes may apply at once: Flyway's lock lets one work and the others find it done.
 */
public final class Migrations {
    private static final String LOCATION = "dev/waybill/migrations/sql";
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
                .locations("classpath:" + LOCATION)
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
        var script =
                new StringBuilder("create schema if not exists " + schema + ";\nset search_path to " + schema + ";\n");
        for (String name : scripts()) {
            script.append("\n-- ").append(name).append('\n').append(read(name));
        }
        return script.toString();
    }

    private List<String> scripts() {
        var names = new ArrayList<String>();
        for (MigrationInfo info : flyway.info().all()) {
            // That Flyway made the schema itself is a row of the history too, without a script.
            if (info.getVersion() != null) {
                names.add(info.getScript());
            }
        }
        return names;
    }

    private static String read(String name) {
        String script = name.contains("/") ? name : LOCATION + "/" + name;
        try (InputStream in = Migrations.class.getClassLoader().getResourceAsStream(script)) {
            if (in == null) {
                throw new IllegalStateException("Migration " + script + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Migration " + script + " cannot be read", e);
        }
    }
}
