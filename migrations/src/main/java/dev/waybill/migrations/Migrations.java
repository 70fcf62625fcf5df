package dev.waybill.migrations;

import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Creates and validates Waybill's tables by {@linkplain Feature feature}, with a role that may create the schema. Without
 * arguments, a method applies to {@link Feature#OUTBOX} and {@link Feature#INBOX}. Processes may migrate at once: Flyway locks.
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

    public static Migrations of(DataSource dataSource, SchemaName schema) {
        return new Migrations(dataSource, schema);
    }

    /**
     * Creates the tables of features and their prerequisites; returns the number of applied migrations.
     *
     * @throws IllegalStateException if another tool has made tables of these features, or the database's encoding is not UTF8
     */
    public int apply(Feature... features) {
        refuseTablesOfOthers(wanted(features));
        Prerequisites.requireEncoding(DSL.using(dataSource, SQLDialect.POSTGRES));
        return wanted(features).stream()
                .mapToInt(feature -> flyway(feature).migrate().migrationsExecuted)
                .sum();
    }

    /** Throws a {@link FlywayException} naming migrations that are missing, changed or newer. */
    public void validate(Feature... features) {
        wanted(features).forEach(feature -> flyway(feature).validate());
    }

    private void refuseTablesOfOthers(Set<Feature> wanted) {
        Set<Feature> foreign = present(Feature::table);
        foreign.removeAll(present(Feature::history));
        foreign.retainAll(wanted);
        if (!foreign.isEmpty()) {
            throw new IllegalStateException("Schema '" + schema + "' has tables of " + foreign
                    + " that the statements of print-sql have made: apply further statements by the same tool");
        }
    }

    /** The features whose tables this role can see. */
    public Set<Feature> installed() {
        return present(Feature::table);
    }

    private Set<Feature> present(Function<Feature, String> table) {
        var installed = EnumSet.noneOf(Feature.class);
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("select to_regclass(?) is not null")) {
            for (Feature feature : Feature.values()) {
                statement.setString(1, schema.table(table.apply(feature)));
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

    /** As {@link #sql(SchemaName, Feature...)}. */
    public String sql(Feature... features) {
        return sql(schema, features);
    }

    /**
     * The SQL of features and their prerequisites, for other migration tools. Run it in one transaction: it sets
     * {@code search_path}.
     */
    public static String sql(SchemaName schema, Feature... features) {
        var script = new StringBuilder(SCHEMA.formatted(schema));
        for (Feature feature : wanted(features)) {
            script.append("\n-- ").append(feature).append('\n').append(FeatureFile.tables(feature));
        }
        return script.toString();
    }

    /**
     * The same statements as a changelog of Liquibase, formatted SQL with a changeset for each feature: {@code waybill:outbox-1}. Adding
     * a feature later adds its changeset.
     */
    public static String changelog(SchemaName schema, Feature... features) {
        var script = new StringBuilder("--liquibase formatted sql\n");
        for (Feature feature : wanted(features)) {
            script.append("\n--changeset waybill:")
                    .append(feature)
                    .append("-1 splitStatements:false\n")
                    .append(SCHEMA.formatted(schema))
                    .append(FeatureFile.tables(feature))
                    .append("\nreset search_path;\n");
        }
        return script.toString();
    }

    // "create schema if not exists" needs the right to create one even if it exists.
    private static final String SCHEMA = """
            do $$
            begin
              if to_regnamespace('%1$s') is null then
                create schema %1$s;
              end if;
            end $$;
            set search_path to %1$s;
            """;

    static Set<Feature> wanted(Feature... features) {
        return Feature.withNeeds(features.length == 0 ? USUAL : List.of(features));
    }

    // Flyway refuses a schema with tables of other features unless it may set a baseline. The default baseline, 1,
    // would skip V1.
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
