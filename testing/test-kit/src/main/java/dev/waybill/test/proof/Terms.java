package dev.waybill.test.proof;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The terms of a proof, as its author gave them. Immutable.
 *
 * @param messages delivered in this order
 * @param beforeEachRun puts back what is not in the database
 */
record Terms(
        Place place, Subject subject, Comparison comparison, List<InboundMessage> messages, Runnable beforeEachRun) {
    /** How long a transaction may last. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /** The database, and the schema of Waybill's tables in it. */
    record Place(DataSource dataSource, SchemaName schema) {}

    /**
     * The handler and its messages.
     *
     * @param handlers makes a process's handler on the process's data source
     * @param boundaries the same for its transactions
     * @param managed whether the transactions are somebody else's
     * @param restarts whether each process has a handler of its own
     * @param timeout how long the handler may take
     */
    record Subject(
            Function<DataSource, Handler> handlers,
            Function<DataSource, TransactionBoundary> boundaries,
            boolean managed,
            boolean restarts,
            Duration timeout) {}

    /**
     * Content that must be the same after each run, and columns that may differ.
     *
     * @param ignored columns as {@code table.column}
     * @param allowed statements that may run outside the transaction
     * @param probes effects elsewhere, by name
     */
    record Comparison(Set<String> ignored, Predicate<String> allowed, Map<String, Supplier<?>> probes) {}

    SchemaName schema() {
        return place.schema();
    }
}
