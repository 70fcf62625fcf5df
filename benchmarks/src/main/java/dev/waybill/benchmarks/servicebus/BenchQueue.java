package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;

/** A new broker with one empty queue for each round, so that no round pays for what another left behind. */
public final class BenchQueue {
    private static final int JOURNAL_RECORDS = 1_000;

    private BenchQueue() {}

    /** With sessions, as a relay's queue has. */
    public static EmbeddedServiceBus start() {
        return start(JOURNAL_RECORDS);
    }

    /** The same with a journal of so many records of a kind. */
    static EmbeddedServiceBus start(int journalRecords) {
        return EmbeddedServiceBus.builder()
                .journalLimit(journalRecords)
                .queue(Backlog.DESTINATION, queue -> queue.requiresSession())
                .start();
    }

    /** With sessions, and a queue beside it. */
    static EmbeddedServiceBus startWith(String neighbour) {
        return EmbeddedServiceBus.builder()
                .journalLimit(JOURNAL_RECORDS)
                .queue(Backlog.DESTINATION, queue -> queue.requiresSession())
                .queue(neighbour, queue -> queue.requiresSession())
                .start();
    }

    /** Without sessions. */
    static EmbeddedServiceBus startWithoutSessions() {
        return EmbeddedServiceBus.builder()
                .journalLimit(JOURNAL_RECORDS)
                .queue(Backlog.DESTINATION)
                .start();
    }

    /** A rate counts only if the broker has everything. */
    static void requireStored(EmbeddedServiceBus bus, long messages) {
        long stored = bus.inspect(Backlog.DESTINATION).active();
        if (stored != messages) {
            throw new IllegalStateException("The broker has " + stored + " messages instead of " + messages);
        }
    }
}
