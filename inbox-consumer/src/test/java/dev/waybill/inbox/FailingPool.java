package dev.waybill.inbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A pool that hands out some connections, and then none. */
final class FailingPool {
    private FailingPool() {}

    static DataSource after(int connections, DataSource pool) {
        var left = new AtomicInteger(connections);
        InvocationHandler handler = (proxy, method, args) -> {
            if (method.getName().equals("getConnection") && left.getAndDecrement() <= 0) {
                throw new SQLException("the process died", "08006");
            }
            return method.invoke(pool, args);
        };
        return (DataSource)
                Proxy.newProxyInstance(DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
    }
}
