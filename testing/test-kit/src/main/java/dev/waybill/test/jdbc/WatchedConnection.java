package dev.waybill.test.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

final class WatchedConnection implements InvocationHandler {
    private final Session session;
    private final JdbcWatch watch;
    private boolean closed;

    private WatchedConnection(Session session, JdbcWatch watch) {
        this.session = session;
        this.watch = watch;
    }

    static Connection of(Session session, JdbcWatch watch) {
        return (Connection) Proxy.newProxyInstance(
                WatchedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new WatchedConnection(session, watch));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "commit" -> take(Step.Kind.COMMIT, method, arguments);
            case "rollback" -> arguments == null ? take(Step.Kind.ROLLBACK, method, null) : ask(method, arguments);
            case "abort" -> take(Step.Kind.ROLLBACK, method, arguments);
            case "close" -> close(method);
            case "setAutoCommit" -> setAutoCommit(method, arguments);
            case "createStatement", "prepareStatement", "prepareCall" ->
                statement((Connection) proxy, method, arguments);
            default -> ask(method, arguments);
        };
    }

    private @Nullable Object close(Method method) throws Throwable {
        if (closed) {
            return null;
        }
        closed = true;
        return take(Step.Kind.CLOSE, method, null);
    }

    private @Nullable Object setAutoCommit(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        boolean on = arguments != null && Boolean.TRUE.equals(arguments[0]);
        return on && !session.isAutoCommit() ? take(Step.Kind.COMMIT, method, arguments) : ask(method, arguments);
    }

    private @Nullable Object take(Step.Kind kind, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Step step = Step.of(kind);
        watch.before(session, step);
        Object answer = ask(method, arguments);
        watch.after(session, step);
        return answer;
    }

    private Object statement(Connection proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Object statement = ask(method, arguments);
        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : "";
        return new WatchedStatement(proxy, (Statement) statement, sql, this).proxy(type(statement));
    }

    private static Class<?> type(Object statement) {
        if (statement instanceof CallableStatement) {
            return CallableStatement.class;
        }
        return statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
    }

    void before(Step step) throws SQLException {
        watch.before(session, step);
    }

    void after(Step step) throws SQLException {
        watch.after(session, step);
    }

    private Object ask(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return WatchedDataSource.ask(session.connection(), method, arguments);
    }
}
