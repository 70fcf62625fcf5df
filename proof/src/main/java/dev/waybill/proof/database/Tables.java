package dev.waybill.proof.database;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/** The tables of Waybill, and those of the business with money in its banks. */
final class Tables {
    private static final String ACCOUNTS = """
            insert into account select 'bank-' || n, %d from generate_series(0, %d) n union all select 'bank-long', %d
            """;

    private Tables() {}

    static void create(String jdbcUrl) throws SQLException {
        try (var pool = PostgresServer.pool(jdbcUrl, 4)) {
            Migrations.of(pool).apply(Feature.all());
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(resource("tables.sql"));
                statement.execute(ACCOUNTS.formatted(Servers.CAPITAL, Servers.BANKS - 2, Servers.CAPITAL));
            }
        }
    }

    private static String resource(String name) {
        try (var in = Tables.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
