package dev.waybill.outbox;

import dev.waybill.message.TextRules;
import dev.waybill.message.WireContract;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.SchemaName;
import java.net.URI;
import java.net.URISyntaxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages to the outbox table in the caller's transaction. Immutable and thread-safe; an application needs one.
 *
 * <b>Append last.</b> Appends to one session wait for each other until commit; this makes the order. Two transactions that
 * append to two sessions in opposite order can deadlock. PostgreSQL then aborts one with SQLSTATE 40P01: repeat the whole
 * transaction. A list locks its sessions in a fixed order. Two lists cannot deadlock, unless both schedule the same ids.
 *
 * <b>Very long lists.</b> A list to more than 1,000 sessions waits for all appending transactions, and blocks all other appends
 * until it commits. Otherwise its locks would fill the lock table of the PostgreSQL cluster. Append such a list in its own
 * transaction, first of all, or split it into several transactions.
 */
public final class Outbox {
    private final OutboxInsert insert;
    private final ScheduledInsert scheduled;
    private final Map<String, Destination> destinations;
    private final @Nullable BodyWriter bodies;
    private final MessageEnricher enricher;
    private final ClaimCheck claims;
    private final CommitNotifier notifier;
    private final JoinedTransactions joined;
    private final @Nullable OutboxTransactions own;

    private Outbox(Builder builder) {
        insert = new OutboxInsert(builder.schema);
        scheduled = new ScheduledInsert(builder.schema);
        destinations = Map.copyOf(builder.destinations);
        bodies = builder.bodies;
        enricher = new MessageEnricher(builder.codec, builder.traceContext, builder.source, builder.cloudEvents);
        claims = new ClaimCheck(builder.claims, destinations, builder.schema);
        notifier = new CommitNotifier(
                builder.relay, builder.notifying ? new PostgresNotifier(builder.schema, builder.nanos) : null);
        joined = new JoinedTransactions(builder.transactions, notifier);
        own = builder.dsl == null ? null : new OutboxTransactions(builder.dsl, insert, notifier);
    }

    /** An outbox with default settings that begins transactions itself: {@link #inTransaction}. It does not close the pool. */
    public static Outbox of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** An outbox with default settings for transactions of the caller. */
    public static Outbox create() {
        return builder().build();
    }

    /** Builds an outbox that begins transactions on a connection pool. It does not close the pool. */
    public static Builder builder(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "The data source is not null");
        return builder(DSL.using(dataSource, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false)));
    }

    /** Builds an outbox that begins transactions with this context, which needs jOOQ's default transaction provider. */
    public static Builder builder(DSLContext dsl) {
        return new Builder(Objects.requireNonNull(dsl, "The DSLContext is not null"));
    }

    /** Builds an outbox for transactions of the caller or of a transaction manager. */
    public static Builder builder() {
        return new Builder(null);
    }

    /**
     * Runs work in a transaction, commits it and wakes relays. If the work throws, rolls back and rethrows the exception
     * unchanged.
     *
     * <p>An append to {@code tx} is checked at once and sent with the COMMIT. This saves a round trip and shortens the
     * sessions' locks. Database errors of the append come from the commit. If a nested transaction rolls back, its appends are
     * dropped. A message that is appended through the plain connection of {@code tx} waits for the relay's next poll.
     *
     * <p>In a consumer's handler, append to the handler's {@code tx} instead: this transaction commits by itself, once for each try.
     *
     * @throws IllegalStateException if the outbox was built without a data source, if this thread is already in such a
     * transaction, or if the data source returns a connection in an open transaction
     * @throws DataAccessException if the database fails, or if the work caught the failure of a statement, after which PostgreSQL
     *     commits nothing. If the reply to the commit is lost, the transaction may have committed
     */
    public <X extends Exception> void inTransaction(TransactionWork<X> work) throws X {
        inTransactionResult(tx -> {
            work.run(tx);
            return true;
        });
    }

    /** As {@link #inTransaction}, with a result. */
    public <T extends @Nullable Object, X extends Exception> T inTransactionResult(
            TransactionWork.WithResult<T, X> work) throws X {
        return own().run(work);
    }

    /** As {@link #inTransaction}, on a plain connection: each append takes a round trip. */
    public <X extends Exception> void inJdbcTransaction(JdbcWork<X> work) throws X {
        inJdbcTransactionResult(tx -> {
            work.run(tx);
            return true;
        });
    }

    /** As {@link #inJdbcTransaction}, with a result. */
    public <T extends @Nullable Object, X extends Exception> T inJdbcTransactionResult(JdbcWork.WithResult<T, X> work)
            throws X {
        return own().runJdbc(work);
    }

    private OutboxTransactions own() {
        if (own == null) {
            throw new IllegalStateException("This outbox has no data source: build it with Outbox.of(dataSource)");
        }
        return own;
    }

    /** Begins a message whose body may be an object: {@link OutboxMessage.Builder#body(Object)}. Appends nothing. */
    public OutboxMessage.Builder message(String destination) {
        return OutboxMessage.to(destination, bodies);
    }

    /**
     * Appends a message in the calling thread's transaction and wakes relays after its commit. Needs
     * {@link Builder#transactions}.
     *
     * @throws NoTransactionException if the thread has no transaction
     * @throws InvalidMessageException if the destination does not accept the message
     * @throws IllegalStateException if the transaction cannot write the outbox, or the outbox was built without transactions
     */
    public void append(OutboxMessage message) {
        append(List.of(message));
    }

    /** Appends messages in this order, in one round trip; as {@link #append(OutboxMessage)}. */
    public void append(Collection<OutboxMessage> messages) {
        joined.require();
        Append append = parts(messages);
        if (!append.isEmpty()) {
            joined.append(append.immediate(), connection -> write(connection, append));
        }
    }

    /**
     * Appends a message in the transaction of {@code tx}. If connections come without auto-commit, append cannot detect a
     * missing transaction: see {@link NoTransactionException}.
     *
     * @throws NoTransactionException if the connection is in auto-commit mode
     * @throws InvalidMessageException if the destination does not accept the message
     */
    public void append(DSLContext tx, OutboxMessage message) {
        append(tx, List.of(message));
    }

    /** Appends messages in this order, in one round trip; as {@link #append(DSLContext, OutboxMessage)}. */
    public void append(DSLContext tx, Collection<OutboxMessage> messages) {
        Append append = parts(messages);
        @Nullable PendingAppends pending = PendingAppends.of(tx.configuration());
        if (pending != null) {
            pending.add(append.immediate());
            append = append.withoutImmediate();
        }
        Append now = append;
        if (!now.isEmpty()) {
            tx.connection(connection -> write(connection, now));
        }
    }

    /** As {@link #append(DSLContext, OutboxMessage)}, on a plain connection. */
    public void append(Connection tx, OutboxMessage message) {
        append(tx, List.of(message));
    }

    /** As {@link #append(DSLContext, Collection)}, on a plain connection. */
    public void append(Connection tx, Collection<OutboxMessage> messages) {
        Append append = parts(messages);
        if (append.isEmpty()) {
            return;
        }
        try {
            write(tx, append);
        } catch (SQLException e) {
            throw new DataAccessException("The append failed: " + e.getMessage(), e);
        }
    }

    /**
     * Notifies relays of a commit, so that they need not wait for their next poll; for transactions that the outbox neither
     * begins nor joins. Call it after a successful commit.
     *
     * <p>Sends at most one notification per {@link WakeChannel#INTERVAL} and outbox, on {@link WakeChannel}, in its own
     * transaction. Does nothing if the connection is in a transaction or notifications are switched off. Logs a failure at
     * debug and never throws, because relays poll anyway.
     *
     * @param committed a connection outside a transaction, with or without auto-commit
     */
    public void wake(Connection committed) {
        notifier.notifyRelays(committed);
    }

    /**
     * Cancels a scheduled message ({@link OutboxMessage.Builder#notBefore}) in the transaction of {@code tx}. If the relay is
     * moving the message to the outbox, waits for the result.
     *
     * @return true if the message will not be sent; false if it is already in the outbox or was never scheduled
     * @throws NoTransactionException if the connection is in auto-commit mode
     * @throws InvalidMessageException if the outbox has declared destinations, and this is none of them
     */
    public boolean cancel(DSLContext tx, String destination, String id) {
        requireDeclared("Message '" + id + "'", destination);
        return tx.connectionResult(connection -> {
            requireTransaction(connection);
            return scheduled.cancel(connection, destination, id);
        });
    }

    /** As {@link #cancel(DSLContext, String, String)}, on a plain connection. */
    public boolean cancel(Connection tx, String destination, String id) {
        return cancel(DSL.using(tx, SQLDialect.POSTGRES), destination, id);
    }

    /**
     * As {@link #cancel(DSLContext, String, String)}, in the calling thread's transaction.
     *
     * @throws NoTransactionException if the thread has no transaction
     * @throws IllegalStateException if the transaction cannot write the outbox, or the outbox was built without transactions
     */
    public boolean cancel(String destination, String id) {
        requireDeclared("Message '" + id + "'", destination);
        return JoinedTransactions.run(joined.require(), connection -> {
            requireTransaction(connection);
            return scheduled.cancel(connection, destination, id);
        });
    }

    private Append parts(Collection<OutboxMessage> messages) {
        var append = new Append();
        for (OutboxMessage given : messages) {
            OutboxMessage message = claims.leaveBody(enricher.enrich(given), append.bodies());
            check(message);
            append.add(message);
        }
        return append;
    }

    private void write(Connection connection, Append append) throws SQLException {
        requireTransaction(connection);
        BinaryParameters.require(connection);
        claims.store(connection, append.bodies());
        if (!append.scheduled().isEmpty()) {
            scheduled.execute(connection, append.scheduled());
        }
        if (!append.immediate().isEmpty()) {
            insert.execute(connection, append.immediate());
            if (connection instanceof CommitActions transaction) {
                notifier.actions(append.immediate()).forEach(transaction::afterCommit);
            }
        }
    }

    private void check(OutboxMessage message) {
        Destination destination = destinations.get(message.destination());
        if (destination != null) {
            destination.check(message);
        } else {
            requireDeclared(message, message.destination());
            MessageRules.checkSize(message, Destination.STANDARD_BYTES);
        }
    }

    private void requireDeclared(Object message, String destination) {
        if (!destinations.isEmpty() && !destinations.containsKey(destination)) {
            throw new InvalidMessageException(
                    message + " goes to the undeclared destination '" + destination + "'; declared are "
                            + destinations.keySet().stream().sorted().toList());
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new NoTransactionException();
        }
    }

    /** Builds an outbox. Not thread-safe. */
    public static final class Builder {
        private final @Nullable DSLContext dsl;
        private SchemaName schema = SchemaName.DEFAULT;
        private final Map<String, Destination> destinations = new LinkedHashMap<>();
        private @Nullable BodyWriter bodies;
        private @Nullable PayloadCodec codec;
        private @Nullable ClaimStore claims;
        private TraceContext traceContext = TraceContext.NONE;
        private @Nullable String source;
        private boolean cloudEvents;
        private @Nullable CurrentTransaction transactions;
        private @Nullable LocalRelay relay;
        private boolean notifying = true;
        private LongSupplier nanos = System::nanoTime;

        private Builder(@Nullable DSLContext dsl) {
            this.dsl = dsl;
        }

        /** The schema of Waybill's tables. Default: {@link SchemaName#DEFAULT}. */
        public Builder schema(SchemaName schema) {
            this.schema = schema;
            return this;
        }

        /** Declares a destination. The outbox then rejects messages to undeclared destinations. Default: all are accepted. */
        public Builder destination(Destination destination) {
            destinations.put(destination.name(), destination);
            return this;
        }

        /** Writes objects as bodies, for {@link Outbox#message}. Default: none. */
        public Builder bodies(BodyWriter bodies) {
            this.bodies = bodies;
            return this;
        }

        /** Encodes bodies before they are stored. Default: none. */
        public Builder codec(PayloadCodec codec) {
            this.codec = codec;
            return this;
        }

        /** Stores large bodies ({@link Destination#withClaimsAbove}). Default: none. */
        public Builder claims(ClaimStore claims) {
            this.claims = claims;
            return this;
        }

        /** Lets messages continue a trace. Default: {@link TraceContext#NONE}. */
        public Builder traceContext(TraceContext traceContext) {
            this.traceContext = traceContext;
            return this;
        }

        /** The name of the writing application, sent as {@link WireContract#SOURCE}. Default: none. */
        public Builder source(String source) {
            @Nullable String violation = TextRules.violation("source", source);
            if (violation != null || source.isBlank()) {
                throw new IllegalArgumentException(
                        "The name of the writing application " + (violation == null ? "is blank" : violation));
            }
            this.source = source;
            return this;
        }

        /**
         * Makes every message a <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/amqp-protocol-binding.md">CloudEvent
         * in binary mode</a>: headers {@code cloudEvents:id}, {@code :source}, {@code :type} and {@code :specversion}, from the id, the
         * {@link #source} and the subject. A message without a subject is refused. Default: no.
         */
        public Builder cloudEvents(boolean cloudEvents) {
            this.cloudEvents = cloudEvents;
            return this;
        }

        /** Finds the calling thread's transaction for {@link Outbox#append(OutboxMessage)}. Default: none. */
        public Builder transactions(CurrentTransaction transactions) {
            this.transactions = transactions;
            return this;
        }

        /**
         * The relay in this process, for the same database and schema. The outbox wakes it by a call after each commit. It
         * notifies other relays only if this relay does not publish all messages to the destination. This saves up to 20 short
         * transactions a second. Default: none.
         *
         * <p>The outbox sees commits of {@link Outbox#inTransaction}, of {@link #transactions}, and of consumers whose handlers
         * append through their transaction ({@link CommitActions}). After other commits, call the relay's {@code wake()}; also
         * after an append through the plain connection of {@link Outbox#inTransaction}.
         */
        public Builder relay(LocalRelay relay) {
            this.relay = relay;
            return this;
        }

        /**
         * Whether commits notify relays in other processes ({@link Outbox#wake}). Default: true. Without notifications, relays
         * only poll.
         */
        public Builder notifying(boolean notifying) {
            this.notifying = notifying;
            return this;
        }

        /** A monotonic clock in nanoseconds. */
        Builder nanos(LongSupplier nanos) {
            this.nanos = nanos;
            return this;
        }

        /** Throws an {@link IllegalStateException} if claims need a store, or CloudEvents a source that is a URI, and none is given. */
        public Outbox build() {
            if (cloudEvents) {
                requireUri(source);
            }
            return new Outbox(this);
        }

        // Libraries of CloudEvents fail on anything else, in the services that receive it.
        private static void requireUri(@Nullable String source) {
            if (source == null) {
                throw new IllegalStateException("CloudEvents have a source: name this application by source(...)");
            }
            try {
                new URI(source);
            } catch (URISyntaxException e) {
                throw new IllegalStateException(
                        "The source of CloudEvents is a URI or a part of one, and '" + source + "' is none", e);
            }
        }
    }
}
