package dev.waybill.deadletter;

import dev.waybill.deadletter.collect.CollectorThread;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * Brings dead letters home: moves those of some entities into the database, with a thread for each. No failure of
 * any kind ends a thread, and {@link #health} tells of it. Runs beside a relay or
 * alone, any number of them side by side. Needs the grants of {@code Role.RELAY}. Thread-safe.
 */
public final class DeadLetterCollector implements AutoCloseable {
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final List<CollectorThread> threads;

    private DeadLetterCollector(List<CollectorThread> threads) {
        this.threads = threads;
    }

    /** Starts collecting with {@link CollectorSettings#DEFAULT}. */
    public static DeadLetterCollector start(
            DataSource dataSource, SchemaName schema, Collection<? extends DeadLetterQueue> queues) {
        return start(dataSource, schema, queues, CollectorSettings.DEFAULT);
    }

    /**
     * Starts collecting.
     *
     * @param queues are closed with the collector
     * @throws IllegalStateException if the tables are missing or too old, or bodies would be stored as other bytes
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

    /** How its threads are now. One that fails goes on by itself; a failure that lasts is for a person to see. */
    public CollectorHealth health() {
        return new CollectorHealth(threads.stream().map(CollectorThread::health).toList());
    }

    /**
     * Stops receiving, and waits some seconds for completions that are on their way. All queues are closed, whatever
     * one of them throws at that; the first of it is thrown in the end, with the others.
     */
    @Override
    public void close() {
        threads.forEach(CollectorThread::stop);
        end(threads);
    }

    private static void end(List<CollectorThread> threads) {
        if (!threads.isEmpty()) {
            Ending others = () -> end(threads.subList(1, threads.size()));
            try (others) {
                threads.get(0).end(LONGEST_END);
            }
        }
    }

    /** Comes whatever was thrown before it. */
    private interface Ending extends AutoCloseable {
        @Override
        void close();
    }
}
