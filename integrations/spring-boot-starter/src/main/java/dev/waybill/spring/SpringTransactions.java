package dev.waybill.spring;

import dev.waybill.inbox.TransactionBoundary;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A consumer's handlers in Spring's transactions: what {@code @Transactional} services, {@code JdbcTemplate} and
 * repositories do in a handler is committed together with the message's id, or not at all. For the managers of
 * JDBC and of JPA. Immutable and thread-safe.
 *
 * <pre>{@code
 * InboxConsumer.builder(dataSource).transactions(SpringTransactions.of(transactionManager, dataSource))
 * }</pre>
 *
 * <p>Work in a transaction of its own (REQUIRES_NEW), in none (NOT_SUPPORTED), or in one of another manager is
 * found and told, because the handler's transaction is suspended for it. Work in other threads, and by connections
 * that are not asked of Spring, is not found.
 */
public final class SpringTransactions implements TransactionBoundary {
    private final PlatformTransactionManager manager;
    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final List<JpaAccess.Question> elsewhere;

    private SpringTransactions(
            PlatformTransactionManager manager, DataSource dataSource, List<JpaAccess.Question> elsewhere) {
        this.manager = manager;
        this.dataSource = ManagedDataSource.target(dataSource);
        this.jdbc = new JdbcTemplate(this.dataSource);
        this.elsewhere = elsewhere;
    }

    /**
     * Transactions of a manager.
     *
     * @param dataSource where Waybill's tables are
     * @throws IllegalArgumentException if the manager is known to manage another data source
     */
    public static SpringTransactions of(PlatformTransactionManager manager, DataSource dataSource) {
        return of(manager, dataSource, List.of());
    }

    /**
     * The same, for a service that also reaches the database by entity managers. The consumer refuses to start if
     * one of them is not in the manager's transactions.
     *
     * @param entityManagerFactories all there are; those of other data sources are left aside
     */
    public static SpringTransactions of(
            PlatformTransactionManager manager, DataSource dataSource, Collection<?> entityManagerFactories) {
        ManagedDataSource.require(manager, dataSource);
        List<JpaAccess.Question> elsewhere = ManagedDataSource.hasJpa()
                ? JpaAccess.questions(manager, dataSource, entityManagerFactories)
                : List.of();
        return new SpringTransactions(manager, dataSource, elsewhere);
    }

    /**
     * Whether a manager says that its transactions are those of a data source. Managers of JTA say nothing, and neither do
     * those of queues or of other stores: a connection that is fetched in their transactions may be in none.
     */
    public static boolean isManagedBy(DataSource dataSource, PlatformTransactionManager manager) {
        return ManagedDataSource.of(manager) == ManagedDataSource.target(dataSource);
    }

    @Override
    public Transaction begin(Duration longest) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new IllegalStateException("This thread has a transaction of Spring's already");
        }
        // The isolation is the pool's: to ask for another costs two round trips a message. The consumer
        // looks at it.
        var definition = new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        definition.setName("waybill-inbox");
        definition.setTimeout((int) Math.min(Integer.MAX_VALUE, longest.toSeconds() + 1));
        TransactionStatus status = manager.getTransaction(definition);
        boolean ready = false;
        try {
            var begun = new Begun(status, connection());
            ready = true;
            return begun;
        } finally {
            if (!ready) {
                manager.rollback(status);
            }
        }
    }

    private Connection connection() {
        if (!ManagedDataSource.isReachedBy(manager, dataSource)) {
            throw new IllegalStateException(manager.getClass().getSimpleName() + " has begun a transaction in which "
                    + dataSource + " has no part; it manages another data source, or none that it tells of");
        }
        return DataSourceUtils.getConnection(dataSource);
    }

    private final class Begun implements Transaction {
        private final TransactionStatus status;
        private final Connection connection;
        private final Suspensions suspensions = new Suspensions();

        Begun(TransactionStatus status, Connection connection) {
            this.status = status;
            this.connection = connection;
            TransactionSynchronizationManager.registerSynchronization(suspensions);
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public void flush() {
            status.flush();
        }

        @Override
        public boolean isRollbackOnly() {
            return status.isRollbackOnly();
        }

        @Override
        public List<String> outside() {
            return suspensions.seen();
        }

        @Override
        public List<String> askElsewhere(String query) {
            var answers = new ArrayList<String>();
            @Nullable String byJdbc = jdbc.queryForObject(query, String.class);
            answers.add(String.valueOf(byJdbc));
            elsewhere.forEach(question -> answers.add(question.ask(query)));
            return answers;
        }

        @Override
        public void commit() {
            manager.commit(status);
        }

        @Override
        public void rollBack() {
            manager.rollback(status);
        }
    }
}
