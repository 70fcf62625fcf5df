package dev.waybill.servicebus.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** {@link Writer}s that go on with another transaction when they have lost their database. */
final class FailoverWriters implements AutoCloseable {
    static final String APPLICATION = "writers";

    private static final long REST_NANOS = Duration.ofMillis(50).toNanos();

    private final HikariDataSource pool;
    private final int messages;
    private final AtomicInteger left;
    private final AtomicInteger lostConnections = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    /** @param meanPauseMillis between two transactions of one writer */
    FailoverWriters(Route route, int count, int messages, int meanPauseMillis, SplittableRandom random) {
        this.pool = pool(route, count);
        this.messages = messages;
        this.left = new AtomicInteger(messages);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        var outbox = Outbox.create();
        var load = new Writer.Load(FailoverStressTest.DESTINATION, ServerPair.TRUTH, meanPauseMillis);
        for (int i = 0; i < count; i++) {
            var writer = new Writer(dsl, outbox, load, left, random.split(), "w" + i);
            var thread = new Thread(() -> write(writer), "writer-" + i);
            thread.setUncaughtExceptionHandler((failing, e) -> {
                e.printStackTrace();
                failed.incrementAndGet();
                left.set(0);
            });
            threads.add(thread);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** How many messages the writers know to be committed. */
    int committed() {
        return messages - left.get();
    }

    /** Transactions whose end the writers do not know, or that could not begin. */
    int lostConnections() {
        return lostConnections.get();
    }

    /** Waits until all is written, and gives the connections up. */
    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        pool.close();
        assertThat(failed).as("writers that failed").hasValue(0);
    }

    private void write(Writer writer) {
        while (left.get() > 0) {
            try {
                writer.run();
            } catch (RuntimeException e) {
                if (!isOfTheDatabase(e)) {
                    throw e;
                }
                lostConnections.incrementAndGet();
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private static boolean isOfTheDatabase(Throwable e) {
        for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                return true;
            }
        }
        return false;
    }

    private static HikariDataSource pool(Route route, int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(route.url() + "&socketTimeout=3&ApplicationName=" + APPLICATION);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(2_000);
        config.setValidationTimeout(500);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Lets the writers end after their transactions. */
    @Override
    public void close() {
        left.set(0);
        pool.close();
    }
}
