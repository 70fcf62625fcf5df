package dev.waybill.walletforge.demo.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.walletforge.demo.database.FreshSchemas;
import dev.waybill.walletforge.installation.ForgeSchemas;
import java.sql.SQLException;
import java.util.Optional;

/** The database of one run, with fresh tables. */
record Database(PostgresServer server, HikariDataSource pool, ForgeSchemas schemas) implements AutoCloseable {
    private static final int CONNECTIONS = 80;

    static Database open(Optional<String> jdbcUrl) throws SQLException {
        var server = jdbcUrl.map(PostgresServer::at).orElseGet(PostgresServer::embedded);
        HikariDataSource pool = null;
        try {
            pool = server.newPool(CONNECTIONS);
            return new Database(server, pool, FreshSchemas.create(pool));
        } catch (SQLException | RuntimeException e) {
            if (pool != null) {
                pool.close();
            }
            server.close();
            throw e;
        }
    }

    @Override
    public void close() {
        pool.close();
        server.close();
    }
}
