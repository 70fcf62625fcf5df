package dev.waybill.inbox;

import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * A manager of transactions as a service has it, other than the consumer. The tests that run in its transactions
 * take the one that a {@link Provider} on their class path offers, so that adapters run the same tests; without a
 * provider {@link ThreadBoundTransactions}.
 */
public interface ForeignTransactions {
    /** The consumer's way to begin and end its transactions. */
    TransactionBoundary boundary();

    /** The bound transaction, or a connection of its own if none is bound, as repositories get it. */
    DSLContext repository();

    /** A method of a service that takes part: an exception that leaves it marks the transaction. */
    <T> T service(Callable<T> method) throws Exception;

    static ForeignTransactions on(DataSource pool) {
        return ServiceLoader.load(Provider.class)
                .findFirst()
                .map(provider -> provider.on(pool))
                .orElseGet(() -> new ThreadBoundTransactions(pool));
    }

    /** Offers a manager for the connections of a pool. */
    interface Provider {
        ForeignTransactions on(DataSource pool);
    }
}
