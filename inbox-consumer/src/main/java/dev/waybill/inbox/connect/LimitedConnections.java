package dev.waybill.inbox.connect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DataSourceConnectionProvider;

/** jOOQ connections with a limit on the database's answers while in use. Thread-safe. */
public final class LimitedConnections extends DataSourceConnectionProvider {
    private final AnswerLimit limit;
    private final Set<Connection> limited =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    public LimitedConnections(DataSource dataSource, AnswerLimit limit) {
        super(dataSource);
        this.limit = limit;
    }

    @Override
    public Connection acquire() {
        Connection connection = super.acquire();
        try {
            if (limit.set(connection)) {
                limited.add(connection);
            }
            return connection;
        } catch (SQLException e) {
            release(connection);
            throw new DataAccessException("A connection rejects a limit on its answers", e);
        } catch (RuntimeException | Error e) {
            release(connection);
            throw e;
        }
    }

    @Override
    public void release(Connection connection) {
        AnswerLimit.lift(connection, limited.remove(connection));
        super.release(connection);
    }
}
