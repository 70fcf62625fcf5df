package dev.waybill.walletforge.demo.database;

import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.installation.ForgeSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Finds names that no earlier run has used: {@code wallet_forge_1}, {@code wallet_forge_2} and so on. */
public final class FreshSchemas {
    private static final String DUPLICATE_SCHEMA = "42P06";

    private FreshSchemas() {}

    /** Creates and migrates the next free pair. Runs that start at the same time get different ones. */
    public static ForgeSchemas create(DataSource dataSource) throws SQLException {
        var schemas = reserve(dataSource);
        schemas.migrate(dataSource);
        return schemas;
    }

    /** The pair that belongs to a name: {@code name} and {@code name_waybill}. */
    public static ForgeSchemas named(String name) {
        return new ForgeSchemas(new SchemaName(name), new SchemaName(name + "_waybill"));
    }

    private static ForgeSchemas reserve(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (int n = 1; ; n++) {
                var schemas = named("wallet_forge_" + n);
                if (created(statement, schemas)) {
                    return schemas;
                }
            }
        }
    }

    // The plain statement, without "if not exists": whoever creates the schema owns the run.
    private static boolean created(Statement statement, ForgeSchemas schemas) throws SQLException {
        try {
            statement.execute("create schema " + schemas.forge());
            return true;
        } catch (SQLException e) {
            if (DUPLICATE_SCHEMA.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }
}
