package dev.waybill.spring.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * Whether the pool has room for all that this process runs. Each handler holds a connection, and may need another:
 * a service that asks for a transaction of its own, the consumer's records. A pool that handlers and relay alone
 * can empty stands still then.
 */
final class PoolSize {
    private static final Logger LOG = LoggerFactory.getLogger(PoolSize.class);

    /** For moments, by all consumers together: records, holds, leases. */
    private static final int FOR_CONSUMERS = 4;

    /** A relay keeps one for its loop, however many destinations it has. */
    private static final int FOR_LOOP = 1;

    /** For moments, by a relay without consumers beside it: its heartbeat and scheduled messages. */
    private static final int FOR_RELAY = 2;

    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSize.class.getClassLoader());

    private final Map<String, Integer> handlers;
    private final int relay;
    private final int listener;

    private PoolSize(Map<String, Integer> handlers, int relay, int listener) {
        this.handlers = handlers;
        this.relay = relay + listener;
        this.listener = listener;
    }

    /** The connections that relay and consumers of this process need. */
    static PoolSize of(WaybillProperties properties) {
        var handlers = new TreeMap<String, Integer>();
        properties.consumers().forEach((name, consumer) -> {
            if (consumer.enabled()) {
                handlers.put(name, consumer.concurrency());
            }
        });
        boolean publishes = properties.publishes();
        return new PoolSize(
                handlers,
                publishes ? FOR_LOOP : 0,
                publishes && properties.relay().listening() ? 1 : 0);
    }

    /** @throws IllegalStateException if the pool is known and too small */
    void requireIn(DataSource dataSource) {
        int most = HIKARI ? Hikari.most(dataSource) : Integer.MAX_VALUE;
        if (most < needed()) {
            throw new IllegalStateException("The pool has " + most + " connections at most, and Waybill needs "
                    + needed() + ": " + reasons()
                    + "; raise spring.datasource.hikari.maximum-pool-size to " + needed()
                    + " or more, or lower waybill.consumers.<name>.concurrency");
        }
        if (HIKARI && relay > 0 && Hikari.looksForLeaks(dataSource)) {
            LOG.info(
                    "HikariCP will report {} of the relay's connections as leaks, once each: it keeps {} for as long as it runs",
                    relay,
                    uses());
        }
    }

    private int needed() {
        return sum() + relay + moments();
    }

    private int sum() {
        return handlers.values().stream().mapToInt(Integer::intValue).sum();
    }

    private int moments() {
        return handlers.isEmpty() ? (relay > 0 ? FOR_RELAY : 0) : FOR_CONSUMERS;
    }

    private String reasons() {
        String each = handlers.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        return Stream.of(
                        handlers.isEmpty() ? "" : sum() + " for handlers (" + each + ")",
                        relay == 0 ? "" : relay + " for the relay (" + uses() + ")",
                        moments() + " for moments")
                .filter(reason -> !reason.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String uses() {
        return "its loop" + (listener == 0 ? "" : ", and one to be woken by");
    }

    private static final class Hikari {
        static boolean looksForLeaks(DataSource dataSource) {
            try {
                return dataSource.isWrapperFor(HikariDataSource.class)
                        && dataSource.unwrap(HikariDataSource.class).getLeakDetectionThreshold() > 0;
            } catch (SQLException | IllegalStateException e) {
                return false;
            }
        }

        static int most(DataSource dataSource) {
            try {
                return dataSource.isWrapperFor(HikariDataSource.class)
                        ? dataSource.unwrap(HikariDataSource.class).getMaximumPoolSize()
                        : Integer.MAX_VALUE;
                // One that routes may have no pool for this thread, and says so when it is used.
            } catch (SQLException | IllegalStateException e) {
                return Integer.MAX_VALUE;
            }
        }
    }
}
