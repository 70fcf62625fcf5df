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

/** The terms of a proof. Immutable. */
record Terms(
        Place place, Subject subject, Comparison comparison, List<InboundMessage> messages, Runnable beforeEachRun) {
    static final Duration LONGEST = Duration.ofMinutes(1);

    record Place(DataSource dataSource, SchemaName schema) {}

    record Subject(
            Function<DataSource, Handler> handlers,
            Function<DataSource, TransactionBoundary> boundaries,
            boolean managed,
            boolean restarts,
            Duration timeout) {}

    record Comparison(Set<String> ignored, Predicate<String> allowed, Map<String, Supplier<?>> probes) {}

    SchemaName schema() {
        return place.schema();
    }
}
