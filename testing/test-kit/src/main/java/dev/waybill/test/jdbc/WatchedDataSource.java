package dev.waybill.test.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

public final class WatchedDataSource {
    private WatchedDataSource() {}

    /** The same connections, watched. Objects that {@code unwrap} returns are not watched. */
    public static DataSource of(DataSource dataSource, JdbcWatch watch) {
        return (DataSource) Proxy.newProxyInstance(
                WatchedDataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return arguments != null && proxy == arguments[0];
                    }
                    if (!method.getName().equals("getConnection")) {
                        return ask(dataSource, method, arguments);
                    }
                    watch.opening();
                    var connection = (Connection) ask(dataSource, method, arguments);
                    var session = new Session(connection);
                    watch.opened(session);
                    return WatchedConnection.of(session, watch);
                });
    }

    static Object ask(Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
