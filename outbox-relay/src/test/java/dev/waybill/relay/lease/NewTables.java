package dev.waybill.relay.lease;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.QueryPart;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** A schema with the tables of the outbox and of further features, for one test. */
public final class NewTables {
    private final TestDatabase database;
    public final SchemaName schema;
    public final DSLContext dsl;

    public NewTables(TestDatabase database, Feature... more) {
        this.database = database;
        Feature[] features =
                Stream.concat(Stream.of(Feature.OUTBOX), Stream.of(more)).toArray(Feature[]::new);
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), features)));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    public DataSource dataSource() {
        return database.dataSource();
    }

    /** Runs a statement in which {@code $} stands for the schema. */
    public int execute(String sql, QueryPart... values) {
        return dsl.execute(sql.replace("$", schema.value()), values);
    }

    public Result<?> fetch(String sql, QueryPart... values) {
        return dsl.fetch(sql.replace("$", schema.value()), values);
    }

    public <T> T one(Class<T> type, String sql, QueryPart... values) {
        return Objects.requireNonNull(fetch(sql, values).get(0).get(0, type));
    }

    /** A transaction that the test ends when it likes. */
    public Connection open() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** A statement in a transaction of the test. */
    public void execute(Connection tx, String sql) throws SQLException {
        try (var statement = tx.createStatement()) {
            statement.execute(sql.replace("$", schema.value()));
        }
    }

    public void append(String destination, @Nullable String session, String... ids) {
        for (String id : ids) {
            fetch(
                    "select $.outbox_append({0}, {1}, {2}, '\\x01')",
                    DSL.val(destination), DSL.val(session), DSL.val(id));
        }
    }
}
