package dev.waybill.deadletter;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import dev.waybill.migrations.SchemaName;
import java.sql.SQLException;

/** A database role with the grants of an operator, and connections that act as it. */
final class OperatorRole implements AutoCloseable {
    private final TestDatabase database;
    private final String name;
    private final HikariDataSource pool;

    OperatorRole(TestDatabase database, SchemaName schema) throws SQLException {
        this.database = database;
        this.name = schema + "_desk";
        database.execute("create role " + name);
        database.execute(Role.OPERATOR.grants(schema, name));
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("set role " + name);
        pool = new HikariDataSource(config);
    }

    HikariDataSource pool() {
        return pool;
    }

    @Override
    public void close() throws SQLException {
        pool.close();
        database.execute("drop owned by " + name);
        database.execute("drop role " + name);
    }
}
