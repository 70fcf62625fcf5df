package dev.waybill.inbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * A manager of transactions as applications have them, of plain JDBC: it binds a connection to the thread,
 * services take part in what is bound or work by themselves, and what went wrong is remembered as a mark. It can
 * be told to show what managers do.
 */
public final class ThreadBoundTransactions implements TransactionBoundary, ForeignTransactions {
    private final DataSource pool;
    // One for each manager: a test may have two of them.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Bound> bound = new ThreadLocal<>();

    private final AtomicInteger begun = new AtomicInteger();

    private volatile Hook beforeCommit = connection -> {};
    private volatile Hook afterCommit = connection -> {};

    public ThreadBoundTransactions(DataSource pool) {
        this.pool = pool;
    }

    /** An action that runs at a commit. */
    interface Hook {
        void run(Connection connection) throws Exception;
    }

    void beforeEachCommit(Hook hook) {
        beforeCommit = hook;
    }

    void afterEachCommit(Hook hook) {
        afterCommit = hook;
    }

    /** The transaction's connection is somebody else's from now on, who ends the transaction and closes it. */
    void detach() {
        Bound current = bound.get();
        if (current != null) {
            current.detached = true;
        }
    }

    int begun() {
        return begun.get();
    }

    boolean isBound() {
        return bound.get() != null;
    }

    @Override
    public Transaction begin(Duration longest) throws SQLException {
        if (bound.get() != null) {
            throw new IllegalStateException("There is a transaction in this thread already");
        }
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        begun.incrementAndGet();
        Bound fresh = new Bound(connection);
        bound.set(fresh);
        return fresh;
    }

    @Override
    public TransactionBoundary boundary() {
        return this;
    }

    @Override
    public DSLContext repository() {
        Bound current = bound.get();
        return DSL.using(current == null ? pool : sharing(current.connection), SQLDialect.POSTGRES);
    }

    @Override
    public <T> T service(Callable<T> method) throws Exception {
        Bound current = bound.get();
        if (current == null) {
            return alone(method);
        }
        try {
            return method.call();
        } catch (Exception e) {
            current.rollbackOnly = true;
            throw e;
        }
    }

    /** A method of a service in a transaction of its own, for which the bound one is suspended. */
    <T> T requiresNew(Callable<T> method) throws Exception {
        Bound suspended = bound.get();
        bound.remove();
        try {
            return alone(method);
        } finally {
            if (suspended != null) {
                suspended.outside.add("suspended for a transaction of its own");
                bound.set(suspended);
            }
        }
    }

    private <T> T alone(Callable<T> method) throws Exception {
        Transaction own = begin(Duration.ofMinutes(1));
        boolean done = false;
        try {
            T result = method.call();
            done = true;
            return result;
        } finally {
            if (done) {
                own.commit();
            } else {
                own.rollBack();
            }
        }
    }

    void setRollbackOnly() {
        Bound current = bound.get();
        if (current != null) {
            current.rollbackOnly = true;
        }
    }

    // Closing it gives nothing back: it is bound.
    private static DataSource sharing(Connection connection) {
        Connection shared = proxy(
                Connection.class,
                (method, arguments) -> method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return proxy(DataSource.class, (method, arguments) -> shared);
    }

    public static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return answer.to(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    public interface Answer {
        @Nullable Object to(Method method, Object @Nullable [] arguments) throws Exception;
    }

    private final class Bound implements Transaction {
        private final Connection connection;
        private final List<String> outside = new ArrayList<>();
        private boolean rollbackOnly;
        private boolean detached;

        Bound(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public boolean isRollbackOnly() {
            return rollbackOnly;
        }

        @Override
        public List<String> outside() {
            return outside;
        }

        // One that was marked is rolled back, and nobody hears of it.
        @Override
        public void commit() throws Exception {
            try {
                if (rollbackOnly) {
                    connection.rollback();
                    return;
                }
                beforeCommit.run(connection);
                connection.commit();
                afterCommit.run(connection);
            } finally {
                end();
            }
        }

        @Override
        public void rollBack() throws SQLException {
            try {
                connection.rollback();
            } finally {
                end();
            }
        }

        private void end() throws SQLException {
            bound.remove();
            if (detached || connection.isClosed()) {
                return;
            }
            try (connection) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }
}
