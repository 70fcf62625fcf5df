package dev.waybill.inbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool whose user stands still once, right before some statement, while something else happens. */
final class FreezingPool {
    private final AtomicBoolean thawed = new AtomicBoolean();
    private final Predicate<String> before;
    private final Runnable meanwhile;

    /** @param before by the statement's text */
    FreezingPool(Predicate<String> before, Runnable meanwhile) {
        this.before = before;
        this.meanwhile = meanwhile;
    }

    /** Whether it has come to that statement. */
    boolean hasFrozen() {
        return thawed.get();
    }

    DataSource of(DataSource pool) {
        return proxy(
                DataSource.class,
                pool,
                (name, argument, result) -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, (inner, sql, statement) -> {
                            freezeBefore(inner, sql);
                            return statement;
                        })
                        : result);
    }

    private void freezeBefore(String method, @Nullable Object sql) {
        if (method.equals("prepareStatement")
                && before.test(String.valueOf(sql))
                && thawed.compareAndSet(false, true)) {
            meanwhile.run();
        }
    }

    private static <T> T proxy(Class<T> type, T of, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        Object result = method.invoke(of, arguments);
                        return change.of(method.getName(), arguments == null ? null : arguments[0], result);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private interface Change {
        Object of(String method, @Nullable Object argument, Object result);
    }
}
