package dev.waybill.test.proof;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Proves that a handler has its effects once. Delivers messages to it undisturbed, and then again and again: with
 * the process ending before and after each statement and the commit, with each statement failing, with a rollback
 * in the place of the commit, with the sessions in another order, and side by side. After each run the service's
 * tables, and what was appended to the outbox, must be as they were after the undisturbed one.
 *
 * <pre>{@code
 * HandlerProof.of(dataSource, handler).messages(debit, credit).requireNoFault();
 * }</pre>
 *
 * <p>Only for a database of tests: the tables are emptied and refilled for each run. The role must be allowed to
 * set {@code session_replication_role}. No relay and no consumer should work on the database meanwhile. Not
 * compared are columns whose default makes a value anew, such as identities and {@code now()}, and columns that
 * refer to those. Not thread-safe.
 */
public final class HandlerProof {
    private final DataSource dataSource;
    private final Function<DataSource, Handler> handlers;
    private final boolean restarts;
    private final List<InboundMessage> messages = new ArrayList<>();
    private final Set<String> ignored = new LinkedHashSet<>();
    private final Map<String, Supplier<?>> probes = new LinkedHashMap<>();
    private SchemaName schema = SchemaName.DEFAULT;
    private Function<DataSource, TransactionBoundary> boundaries = OwnTransactions::new;
    private boolean managed;
    private Predicate<String> allowed = sql -> false;
    private Duration handlerTimeout = Duration.ofSeconds(20);
    private Runnable beforeEachRun = () -> {};

    private HandlerProof(DataSource dataSource, Function<DataSource, Handler> handlers, boolean restarts) {
        this.dataSource = dataSource;
        this.handlers = handlers;
        this.restarts = restarts;
    }

    /** For a handler that uses nothing but the transaction it is given. */
    public static HandlerProof of(DataSource dataSource, Handler handler) {
        return new HandlerProof(dataSource, watched -> handler, false);
    }

    /**
     * For handlers that are made anew with each process.
     *
     * @param handlers makes a handler; the proof sees only what it does through the given data source
     */
    public static HandlerProof restarting(DataSource dataSource, Function<DataSource, Handler> handlers) {
        return new HandlerProof(dataSource, handlers, true);
    }

    /** Adds messages in the order of the broker. Two or three related ones are enough. */
    public HandlerProof messages(InboundMessage... more) {
        return messages(List.of(more));
    }

    public HandlerProof messages(Collection<? extends InboundMessage> more) {
        messages.addAll(more);
        return this;
    }

    /** The schema of Waybill's tables. Default: {@link SchemaName#DEFAULT}. */
    public HandlerProof schema(SchemaName name) {
        schema = name;
        return this;
    }

    /** Excludes columns from the comparison, each as {@code table.column}; {@code outbox.id} and the like for appends. */
    public HandlerProof ignoring(String... columns) {
        ignored.addAll(List.of(columns));
        return this;
    }

    /** Statements that may run outside the message's connection, such as those of a table of sequence values. */
    public HandlerProof allowing(Predicate<String> statements) {
        allowed = allowed.or(statements);
        return this;
    }

    /** The time after which a handler counts as hanging. Default: 20 s. */
    public HandlerProof handlerTimeout(Duration timeout) {
        handlerTimeout = timeout;
        return this;
    }

    /**
     * Watches an effect outside the database, such as an HTTP call: its value after a run, as text, must be that after the undisturbed
     * run. {@link #beforeEachRun} must reset it.
     */
    public HandlerProof watching(String name, Supplier<?> probe) {
        probes.put(name, probe);
        return this;
    }

    /** Resets what is watched. */
    public HandlerProof beforeEachRun(Runnable action) {
        beforeEachRun = action;
        return this;
    }

    /** Transactions of another manager, as for a consumer; made for each process on the watched data source. */
    public HandlerProof transactions(Function<DataSource, TransactionBoundary> itsBoundaries) {
        boundaries = itsBoundaries;
        managed = true;
        return this;
    }

    /**
     * Tries everything and reports.
     *
     * @throws IllegalStateException if there is no message, or the role may not set {@code session_replication_role}
     */
    public ProofReport run() throws InterruptedException {
        if (messages.isEmpty()) {
            throw new IllegalStateException("A proof needs messages");
        }
        requireDifferentIds();
        return new Proof(new Terms(
                        new Terms.Place(dataSource, schema),
                        new Terms.Subject(handlers, boundaries, managed, restarts, handlerTimeout),
                        new Terms.Comparison(Set.copyOf(ignored), allowed, Map.copyOf(probes)),
                        List.copyOf(messages),
                        beforeEachRun))
                .go();
    }

    private void requireDifferentIds() {
        var ids = new LinkedHashSet<String>();
        for (InboundMessage message : messages) {
            if (!ids.add(message.id())) {
                throw new IllegalStateException("Two messages have the id '" + message.id()
                        + "'. Repeats are part of the proof: give each message once");
            }
        }
    }

    /**
     * Tries everything.
     *
     * @throws AssertionError naming the faults, if there are any
     */
    public void requireNoFault() throws InterruptedException {
        ProofReport report = run();
        if (!report.faults().isEmpty()) {
            throw new AssertionError(report.toString());
        }
    }
}
