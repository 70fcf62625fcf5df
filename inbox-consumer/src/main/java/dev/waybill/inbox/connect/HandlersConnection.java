package dev.waybill.inbox.connect;

import dev.waybill.outbox.CommitActions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The connection as a handler has it: it cannot end the message's transaction. A handler that could would commit ids of messages
 * that nobody has handled, or roll back effects of which the broker is told afterwards. Savepoints are the handler's own.
 */
record HandlersConnection(
        Connection connection, boolean savepoints, @Nullable CommitActions after) implements InvocationHandler {
    public static Connection of(Connection connection) {
        return proxy(new HandlersConnection(connection, true, null), Connection.class);
    }

    /** One that takes actions for after the commit. */
    public static Connection of(Connection connection, CommitActions after) {
        return proxy(new HandlersConnection(connection, true, after), Connection.class, CommitActions.class);
    }

    /** One whose savepoints are not the handler's own, but those of whoever manages the transaction. */
    public static Connection managed(Connection connection) {
        return proxy(new HandlersConnection(connection, false, null), Connection.class);
    }

    private static Connection proxy(HandlersConnection handlers, Class<?>... types) {
        return (Connection) Proxy.newProxyInstance(HandlersConnection.class.getClassLoader(), types, handlers);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (endsTheTransaction(method.getName(), arguments)) {
            throw new IllegalStateException("A handler must not call " + method.getName()
                    + " on its connection: the consumer ends the message's transaction, by the handler's verdict");
        }
        if (!savepoints
                && (method.getName().equals("setSavepoint") || method.getName().equals("rollback"))) {
            throw NoSavepoints.refused();
        }
        try {
            return method.invoke(method.getDeclaringClass() == CommitActions.class ? after : connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static boolean endsTheTransaction(String method, @Nullable Object @Nullable [] arguments) {
        return switch (method) {
            case "commit", "close", "abort" -> true;
            case "rollback" -> arguments == null;
            case "setAutoCommit" -> arguments != null && Boolean.TRUE.equals(arguments[0]);
            default -> false;
        };
    }
}
