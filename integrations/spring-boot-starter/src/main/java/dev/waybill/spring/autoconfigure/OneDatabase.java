package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.CurrentTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Refuses appends to another database than the one that relay and consumers of this process work in. A data source may choose the
 * database by the thread: by its tenant, for example, which relay and consumers do not have.
 */
record OneDatabase(CurrentTransaction transactions, Database database) implements CurrentTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(OneDatabase.class);

    @Override
    public <T> T join(Work<T> work) throws SQLException {
        return transactions.join(connection -> {
            @Nullable String served = database.servedUrl();
            String mine = connection.getMetaData().getURL();
            if (served != null && !served.equals(mine)) {
                throw new IllegalStateException("This transaction is in the database " + withoutSecrets(mine)
                        + ", and the relay of this process" + " publishes from " + withoutSecrets(served)
                        + ": the message would never be sent. " + REMEDY);
            }
            return work.run(connection);
        });
    }

    @Override
    public void afterCommit(AfterCommit action) {
        transactions.afterCommit(action);
    }

    private static final String REMEDY =
            "List the tenants in waybill.tenants, or give each database an outbox of its own"
                    + " (waybill.outboxes.NAME), or run relays beside the service (waybill-relay) and set waybill.relay.enabled=false";

    private static final String TENANTLESS =
            "The data source of Waybill's tables chooses its database by the thread, and has none"
                    + " for threads without a tenant, such as the relay's. ";

    private static String withoutSecrets(@Nullable String url) {
        return String.valueOf(url).replaceFirst("\\?.*", "");
    }

    /** What to do about a data source without a database for a thread without a tenant; the failure itself for others. */
    static RuntimeException explained(DataSource dataSource, IllegalStateException failure) {
        try {
            return dataSource.isWrapperFor(AbstractRoutingDataSource.class)
                    ? new IllegalStateException(TENANTLESS + REMEDY, failure)
                    : failure;
        } catch (SQLException | RuntimeException e) {
            return failure;
        }
    }

    /**
     * Refuses a data source that routes to several databases. Those that take no writes may be among them: a transaction that only
     * reads appends nothing.
     *
     * @throws IllegalStateException with the keys of two of them
     */
    static void require(DataSource dataSource) throws SQLException {
        if (!dataSource.isWrapperFor(AbstractRoutingDataSource.class)) {
            return;
        }
        var written = new HashMap<String, String>();
        for (Map.Entry<Object, DataSource> target : dataSource
                .unwrap(AbstractRoutingDataSource.class)
                .getResolvedDataSources()
                .entrySet()) {
            @Nullable String identity = writable(target.getKey(), target.getValue());
            if (identity != null) {
                written.merge(identity, String.valueOf(target.getKey()), OneDatabase::first);
            }
        }
        if (written.size() > 1) {
            throw new IllegalStateException("The data source of Waybill's tables, "
                    + dataSource.getClass().getSimpleName() + ", routes to several databases, of "
                    + new TreeSet<>(written.values())
                    + ": what is appended in one of them, this process's relay does not see. "
                    + REMEDY + ", or name a data source of one database in waybill.data-source");
        }
    }

    private static String first(String one, String other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    // An own answer for each database: two servers do not start in the same microsecond.
    private static @Nullable String writable(Object key, DataSource target) {
        try (Connection connection = target.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select pg_is_in_recovery(),"
                        + " current_database() || ' ' || extract(epoch from pg_postmaster_start_time())")) {
            return row.next() && !row.getBoolean(1) ? row.getString(2) : null;
        } catch (SQLException e) {
            LOG.debug(
                    "The database of '{}' does not say which one it is; appends to it are refused one by one", key, e);
            return null;
        }
    }
}
