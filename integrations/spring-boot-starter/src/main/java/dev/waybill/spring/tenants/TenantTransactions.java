package dev.waybill.spring.tenants;

import dev.waybill.outbox.CurrentTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions in the databases of tenants: refuses an append in any other one, and tells of each commit in which database it was.
 * Immutable and thread-safe.
 *
 * @param committed gets the database's URL, after the commit
 */
public record TenantTransactions(CurrentTransaction transactions, Tenants tenants, Consumer<String> committed)
        implements CurrentTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(TenantTransactions.class);

    @Override
    public <T> T join(Work<T> work) throws SQLException {
        return transactions.join(connection -> {
            tenants.require(connection.getMetaData().getURL());
            return work.run(connection);
        });
    }

    @Override
    public void afterCommit(AfterCommit action) {
        transactions.afterCommit(new Told(action, committed));
    }

    /** Equal to another of the same action: a transaction runs equal ones once. */
    private record Told(AfterCommit action, Consumer<String> committed) implements AfterCommit {
        @Override
        public void run(Connection connection) {
            try {
                committed.accept(connection.getMetaData().getURL());
            } catch (SQLException | RuntimeException e) {
                LOG.debug("The relay was not told of a commit; it finds the messages by polling", e);
            }
            action.run(connection);
        }
    }
}
