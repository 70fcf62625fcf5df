package dev.waybill.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A database role with the grants of one of ours, and connections that act as it. */
public final class TemporaryRole implements AutoCloseable {
    private final TestDatabase database;
    private final String name;
    private final HikariDataSource pool;

    public TemporaryRole(TestDatabase database, SchemaName schema, Role role) throws SQLException {
        this.database = database;
        this.name = schema + "_" + role.name().toLowerCase(Locale.ROOT);
        database.execute("create role " + name);
        database.execute(role.grants(schema, name, Feature.all()));
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("set role " + name);
        pool = new HikariDataSource(config);
    }

    public HikariDataSource pool() {
        return pool;
    }

    DSLContext dsl() {
        return DSL.using(pool, SQLDialect.POSTGRES);
    }

    @Override
    public void close() throws SQLException {
        pool.close();
        database.execute("drop owned by " + name);
        database.execute("drop role " + name);
    }
}
