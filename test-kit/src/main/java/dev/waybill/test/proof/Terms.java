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
 * What a proof was told. Immutable.
 *
 * @param handlers makes a process's handler on the process's data source
 * @param boundaries the same for its transactions
 * @param managed whether the transactions are somebody else's
 * @param ignored columns as {@code table.column}
 */
record Terms(
        DataSource dataSource,
        SchemaName schema,
        Function<DataSource, Handler> handlers,
        Function<DataSource, TransactionBoundary> boundaries,
        boolean managed,
        boolean restarts,
        List<InboundMessage> messages,
        Set<String> ignored,
        Predicate<String> allowed,
        Duration handlerTimeout,
        Map<String, Supplier<?>> probes,
        Runnable beforeEachRun) {
    /** How long a transaction may last. */
    static final Duration LONGEST = Duration.ofMinutes(1);
}
