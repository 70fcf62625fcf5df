package dev.waybill.spring;

import dev.waybill.inbox.ForeignTransactions;
import dev.waybill.inbox.TransactionBoundary;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Spring's transactions for the inbox's own tests, with services as {@code @Transactional} makes them. */
public final class JdbcTransactions implements ForeignTransactions {
    private final DataSource pool;
    private final PlatformTransactionManager manager;

    private JdbcTransactions(DataSource pool) {
        this.pool = pool;
        manager = new JdbcTransactionManager(pool);
    }

    /** Found by the inbox's tests. */
    public static final class Provider implements ForeignTransactions.Provider {
        @Override
        public ForeignTransactions on(DataSource pool) {
            return new JdbcTransactions(pool);
        }
    }

    @Override
    public TransactionBoundary boundary() {
        return SpringTransactions.of(manager, pool);
    }

    @Override
    public DSLContext repository() {
        return DSL.using(new TransactionAwareDataSourceProxy(pool), SQLDialect.POSTGRES);
    }

    @Override
    public <T> T service(Callable<T> method) throws Exception {
        TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
        T result;
        try {
            result = method.call();
        } catch (Exception e) {
            manager.rollback(status);
            throw e;
        }
        manager.commit(status);
        return result;
    }
}
