package dev.waybill.relay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.NoConnectionProvider;

/** Connections of which each statement is told, whether it goes through jOOQ or past it. Not thread-safe. */
final class WatchedConnections implements ConnectionProvider {
    private final ConnectionProvider connections;
    private final Watch watch;
    private final IdentityHashMap<Connection, Connection> originals = new IdentityHashMap<>();

    private WatchedConnections(ConnectionProvider connections, Watch watch) {
        this.connections = connections;
        this.watch = watch;
    }

    static DSLContext of(DSLContext dsl, Watch watch) {
        var configuration = dsl.configuration();
        return DSL.using(configuration.derive(new WatchedConnections(configuration.connectionProvider(), watch)));
    }

    /** The same of a data source. */
    static DataSource of(DataSource dataSource, Watch watch) {
        var watched = new WatchedConnections(new NoConnectionProvider(), watch);
        return proxy(
                DataSource.class,
                (method, arguments) -> method.getName().equals("getConnection")
                        ? watched.watched(dataSource.getConnection())
                        : call(dataSource, method, arguments));
    }

    /** Connections whose statements fail as long as the database is gone. */
    static DSLContext failing(DSLContext dsl, BooleanSupplier gone) {
        return of(dsl, new Watch() {
            @Override
            public void before(String sql) {
                if (gone.getAsBoolean()) {
                    throw new IllegalStateException("The database is gone");
                }
            }
        });
    }

    @Override
    public Connection acquire() {
        Connection original = Objects.requireNonNull(connections.acquire());
        Connection watched = watched(original);
        originals.put(watched, original);
        return watched;
    }

    private Connection watched(Connection original) {
        return proxy(Connection.class, (method, arguments) -> {
            if (!method.getName().equals("prepareStatement")) {
                return call(original, method, arguments);
            }
            String sql = watch.sent((String) arguments[0]);
            arguments[0] = sql;
            return watched(sql, (PreparedStatement) call(original, method, arguments));
        });
    }

    private PreparedStatement watched(String sql, PreparedStatement statement) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (!method.getName().startsWith("execute")) {
                return call(statement, method, arguments);
            }
            watch.before(sql);
            Object result = call(statement, method, arguments);
            watch.after(sql);
            return result;
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> call.of(method, arguments);
                }));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public void release(Connection connection) {
        connections.release(Objects.requireNonNull(originals.remove(connection)));
    }

    /** Hears of each statement. Its exceptions are thrown in the statement's place. */
    interface Watch {
        /** The statement that is sent instead. */
        default String sent(String sql) {
            return sql;
        }

        /** The statement is about to be sent. */
        default void before(String sql) {}

        /** The statement was executed, and its reply is about to arrive. */
        default void after(String sql) {}
    }

    /** Calls a method. */
    @FunctionalInterface
    private interface Call {
        Object of(Method method, Object[] arguments) throws Throwable;
    }
}
