package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;

/** A transaction of somebody else's in the same database, which stays open. */
enum ForeignTransaction {
    /** There is none. */
    NONE {
        @Override
        void work(Statement statement, String scratch) {
            // Nothing is open.
        }
    },
    /** It has a snapshot, has read no table and has no transaction id. */
    READER {
        @Override
        void work(Statement statement, String scratch) throws SQLException {
            statement.execute("begin isolation level repeatable read");
            statement.execute("select 1");
        }
    },
    /** It has written a row of a table in another schema, so it has a transaction id. */
    WRITER {
        @Override
        void work(Statement statement, String scratch) throws SQLException {
            statement.execute("create schema " + scratch);
            statement.execute("create table " + scratch + ".written (id int)");
            statement.execute("begin");
            statement.execute("insert into " + scratch + ".written values (1)");
        }

        @Override
        void end(Statement statement, String scratch) throws SQLException {
            super.end(statement, scratch);
            statement.execute("drop schema " + scratch + " cascade");
        }
    };

    abstract void work(Statement statement, String scratch) throws SQLException;

    void end(Statement statement, String scratch) throws SQLException {
        statement.execute("rollback");
    }

    /** Does something while it is open. */
    <T> T beside(OutboxSchema schema, Callable<T> measurement) throws Exception {
        String scratch = schema.name() + "_foreign";
        try (Connection connection = schema.pool("foreign", 1).getConnection();
                Statement statement = connection.createStatement()) {
            work(statement, scratch);
            T result = measurement.call();
            end(statement, scratch);
            return result;
        }
    }
}
