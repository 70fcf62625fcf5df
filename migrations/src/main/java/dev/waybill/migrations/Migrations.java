package dev.waybill.migrations;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Creates and checks Waybill's tables, {@linkplain Feature feature} by feature. Needs a role that may create the schema;
 * the running services do not. Without a feature, each method means {@link Feature#OUTBOX} and {@link Feature#INBOX}.
 *
 * <p>Several processes may apply at once: Flyway's lock lets one work and the others find it done.
 */
public final class Migrations {
    private static final List<Feature> USUAL = List.of(Feature.OUTBOX, Feature.INBOX);

    private final DataSource dataSource;
    private final SchemaName schema;

    private Migrations(DataSource dataSource, SchemaName schema) {
        this.dataSource = dataSource;
        this.schema = schema;
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
     * Creates the tables of some features and of those that they need.
     *
     * @return how many migrations were applied; 0 if all were there already
     */
    public int apply(Feature... features) {
        return wanted(features).stream()
                .mapToInt(feature -> flyway(feature).migrate().migrationsExecuted)
                .sum();
    }

    /**
     * Checks that the tables of some features, and of those that they need, are what this code expects.
     *
     * @throws FlywayException naming what is missing, changed or newer
     */
    public void validate(Feature... features) {
        wanted(features).forEach(feature -> flyway(feature).validate());
    }

    /** The features whose tables this role can see, whoever applied them. */
    public Set<Feature> installed() {
        var installed = EnumSet.noneOf(Feature.class);
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("select to_regclass(?) is not null")) {
            for (Feature feature : Feature.values()) {
                statement.setString(1, schema.table(feature.table()));
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    if (row.getBoolean(1)) {
                        installed.add(feature);
                    }
                }
            }
            return installed;
        } catch (SQLException e) {
            throw new FlywayException("The tables of schema '" + schema + "' could not be looked for", e);
        }
    }

    /** The statements of some features, for those who apply them with a tool of their own. */
    public String sql(Feature... features) {
        return sql(schema, features);
    }

    /**
     * The statements of some features and of those that they need, for those who apply them with a tool of their own.
     * Asks no database. They set {@code search_path}, and belong into one transaction.
     */
    public static String sql(SchemaName schema, Feature... features) {
        var script =
                new StringBuilder("create schema if not exists " + schema + ";\nset search_path to " + schema + ";\n");
        for (Feature feature : wanted(features)) {
            script.append("\n-- ").append(feature).append('\n').append(FeatureFile.tables(feature));
        }
        return script.toString();
    }

    static Set<Feature> wanted(Feature... features) {
        return Feature.withNeeds(features.length == 0 ? USUAL : List.of(features));
    }

    // The schema holds tables of other features already, which Flyway takes for a reason to refuse. A baseline of 1,
    // the
    // default, would skip V1.
    private Flyway flyway(Feature feature) {
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .schemas(schema.value())
                .defaultSchema(schema.value())
                .table(feature.history())
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .locations("classpath:" + feature.folder())
                .load();
    }
}
