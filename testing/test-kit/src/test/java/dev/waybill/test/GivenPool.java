package dev.waybill.test;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A database as an application brings it. */
final class GivenPool {
    private GivenPool() {}

    /** A database of its own on the kit's server, by a pool that turns auto-commit off. Ends with the JVM. */
    static DataSource withoutAutoCommit() {
        try {
            KitServer server = KitServer.start();
            HikariDataSource plain = server.connect(server.copy("template1"));
            var config = new HikariConfig();
            config.setJdbcUrl(plain.getJdbcUrl());
            config.setAutoCommit(false);
            plain.close();
            return new HikariDataSource(config);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
