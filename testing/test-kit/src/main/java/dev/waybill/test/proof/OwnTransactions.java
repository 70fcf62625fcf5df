package dev.waybill.test.proof;

import dev.waybill.inbox.TransactionBoundary;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

record OwnTransactions(DataSource dataSource) implements TransactionBoundary {
    @Override
    public Transaction begin(Duration longest) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return new OnConnection(connection);
    }

    private record OnConnection(Connection connection) implements Transaction {
        @Override
        public boolean isRollbackOnly() {
            return false;
        }

        @Override
        public void commit() throws SQLException {
            try {
                connection.commit();
            } catch (SQLException e) {
                undo(e);
                throw e;
            } finally {
                connection.close();
            }
        }

        // Closed in the middle of a transaction, a pool might commit it.
        private void undo(SQLException cause) {
            try {
                connection.rollback();
            } catch (SQLException e) {
                cause.addSuppressed(e);
            }
        }

        @Override
        public void rollBack() throws SQLException {
            try {
                connection.rollback();
            } finally {
                connection.close();
            }
        }
    }
}
