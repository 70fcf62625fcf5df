package dev.waybill.test.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class WatchedStatement implements InvocationHandler {
    private final Connection connection;
    private final Statement statement;
    private final String prepared;
    private final WatchedConnection watched;
    private final List<String> batch = new ArrayList<>();

    WatchedStatement(Connection connection, Statement statement, String prepared, WatchedConnection watched) {
        this.connection = connection;
        this.statement = statement;
        this.prepared = prepared;
        this.watched = watched;
    }

    Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(WatchedStatement.class.getClassLoader(), new Class<?>[] {type}, this);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        @Nullable Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
        return switch (method.getName()) {
            case "equals" -> proxy == first;
            case "getConnection" -> connection;
            case "addBatch" -> {
                batch.add(first instanceof String sql ? sql : prepared);
                yield WatchedDataSource.ask(statement, method, arguments);
            }
            case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" ->
                execute(first instanceof String sql ? sql : prepared, method, arguments);
            case "executeBatch", "executeLargeBatch" -> {
                String all = String.join("; ", batch.stream().distinct().toList());
                batch.clear();
                yield execute(all, method, arguments);
            }
            default -> WatchedDataSource.ask(statement, method, arguments);
        };
    }

    private Object execute(String sql, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Step step = Step.statement(sql);
        watched.before(step);
        Object answer = WatchedDataSource.ask(statement, method, arguments);
        watched.after(step);
        return answer;
    }
}
