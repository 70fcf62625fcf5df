package dev.waybill.schema;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Lends a connection to code that must not end its transaction. A guard sees each call first. */
public final class GuardedConnection implements InvocationHandler {
    private final Connection connection;
    private final Guard guard;
    private final @Nullable Object second;

    private GuardedConnection(Connection connection, Guard guard, @Nullable Object second) {
        this.connection = connection;
        this.guard = guard;
        this.second = second;
    }

    public static Connection of(Connection connection, Guard guard) {
        return proxy(new GuardedConnection(connection, guard, null), Connection.class);
    }

    /** The connection also implements {@code type}; {@code second} receives those calls. */
    public static <T> Connection of(Connection connection, Guard guard, Class<T> type, T second) {
        return proxy(new GuardedConnection(connection, guard, second), Connection.class, type);
    }

    private static Connection proxy(GuardedConnection guarded, Class<?>... types) {
        return (Connection) Proxy.newProxyInstance(GuardedConnection.class.getClassLoader(), types, guarded);
    }

    public static boolean endsTransaction(String method, @Nullable Object @Nullable [] arguments) {
        return switch (method) {
            case "commit", "close", "abort" -> true;
            case "rollback" -> arguments == null;
            case "setAutoCommit" -> arguments != null && Boolean.TRUE.equals(arguments[0]);
            default -> false;
        };
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        guard.check(method.getName(), arguments);
        boolean isSecond = second != null
                && method.getDeclaringClass().isInstance(second)
                && method.getDeclaringClass() != Object.class;
        try {
            return method.invoke(isSecond ? second : connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Rejects a call by an exception. */
    @FunctionalInterface
    public interface Guard {
        void check(String method, @Nullable Object @Nullable [] arguments);
    }
}
