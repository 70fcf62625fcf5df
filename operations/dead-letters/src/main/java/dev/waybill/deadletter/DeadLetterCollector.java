package dev.waybill.deadletter;

import dev.waybill.deadletter.collect.CollectorThread;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.KeepAlive;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * Moves dead letters of entities into the database, with one thread for each entity. No failure ends a thread; {@link #health}
 * reports it. Any number of collectors may run. Needs the grants of {@code Role.RELAY}. Thread-safe.
 */
public final class DeadLetterCollector implements AutoCloseable {
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final List<CollectorThread> threads;

    private final KeepAlive alive = KeepAlive.start("waybill-dead-letters-alive");

    private DeadLetterCollector(List<CollectorThread> threads) {
        this.threads = threads;
    }

    public static DeadLetterCollector start(
            DataSource dataSource, SchemaName schema, Collection<? extends DeadLetterQueue> queues) {
        return start(dataSource, schema, queues, CollectorSettings.DEFAULT);
    }

    /**
     * Starts collecting. The queues are closed with the collector.
     *
     * @throws IllegalStateException if the tables are missing or too old, or the pool would store bodies as other bytes
     */
    public static DeadLetterCollector start(
            DataSource dataSource,
            SchemaName schema,
            Collection<? extends DeadLetterQueue> queues,
            CollectorSettings settings) {
        DSLContext dsl = CustomPlans.in(schema.in(AutoCommitConnections.using(dataSource)));
        dsl.connection(BinaryParameters::require);
        FeatureMissing.require(dsl, schema, "dead_letter_message");
        Prerequisites.require(dsl, schema);
        var threads = queues.stream()
                .map(queue -> new CollectorThread(dsl, schema, queue, settings))
                .toList();
        var collector = new DeadLetterCollector(threads);
        try {
            threads.forEach(CollectorThread::start);
        } catch (Throwable e) {
            collector.close();
            throw e;
        }
        return collector;
    }

    /** The state of its threads. A thread that fails retries by itself. */
    public CollectorHealth health() {
        return new CollectorHealth(threads.stream().map(CollectorThread::health).toList());
    }

    /** Stops receiving, waits up to 10 s for completions, and closes every queue before it throws what one has thrown. */
    @Override
    public void close() {
        try {
            threads.forEach(CollectorThread::stop);
            end(threads);
        } finally {
            alive.close();
        }
    }

    private static void end(List<CollectorThread> threads) {
        if (!threads.isEmpty()) {
            Ending others = () -> end(threads.subList(1, threads.size()));
            try (others) {
                threads.get(0).end(LONGEST_END);
            }
        }
    }

    private interface Ending extends AutoCloseable {
        @Override
        void close();
    }
}
