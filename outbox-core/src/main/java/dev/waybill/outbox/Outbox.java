package dev.waybill.outbox;

import dev.waybill.message.WireContract;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.SchemaName;
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
 * Appends messages to the outbox table in the caller's transaction. Immutable and thread-safe; one per application is
 * enough.
 *
 * <p><b>Append last.</b> Inside a session, appends of concurrent transactions wait for each other until commit, which is
 * what makes the order. Two transactions that append to two sessions in opposite order can deadlock; PostgreSQL then ends
 * one with SQLSTATE 40P01, and the whole transaction is to be tried again. A list takes its locks sorted and cannot
 * deadlock with another list, unless both schedule the same ids.
 *
 * <p><b>Very long lists.</b> A list to more than 1,000 sessions waits for all transactions that have appended, and all
 * others that append wait for it: a lock for each session would use up the lock table of the whole cluster. Give such a list
 * a transaction of its own, or append it in parts, each in its own transaction. It cannot deadlock with other appends as
 * long as its transaction has appended nothing before.
 */
public final class Outbox {
    private final OutboxInsert insert;
    private final ScheduledInsert scheduled;
    private final Map<String, Destination> destinations;
    private final MessageEnricher outfit;
    private final ClaimCheck claims;
    private final CommitNews news;
    private final JoinedTransactions joined;
    private final @Nullable OutboxTransactions own;

    private Outbox(Builder builder) {
        insert = new OutboxInsert(builder.schema);
        scheduled = new ScheduledInsert(builder.schema);
        destinations = Map.copyOf(builder.destinations);
        outfit = new MessageEnricher(builder.codec, builder.traceContext, builder.source);
        claims = new ClaimCheck(builder.claims, destinations, builder.schema);
        news = new CommitNews(builder.relay, builder.notifying ? new Wake(builder.schema, builder.nanos) : null);
        joined = new JoinedTransactions(builder.transactions, news);
        own = builder.dsl == null ? null : new OutboxTransactions(builder.dsl, insert, news);
    }

    /** An outbox with the default settings that begins transactions itself: {@link #inTransaction}. The pool stays the caller's. */
    public static Outbox of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** An outbox with the default settings for transactions that the caller begins and commits. */
    public static Outbox create() {
        return builder().build();
    }

    /** Settings of an outbox that begins transactions on a connection pool. The pool stays the caller's. */
    public static Builder builder(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "The data source is not null");
        return builder(DSL.using(dataSource, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false)));
    }

    /**
     * Settings of an outbox that begins transactions by the connections and with the settings of this {@link DSLContext}.
     *
     * @param dsl outside a transaction, with jOOQ's own transactions
     */
    public static Builder builder(DSLContext dsl) {
        return new Builder(Objects.requireNonNull(dsl, "The DSLContext is not null"));
    }

    /** Settings of an outbox for transactions that the caller, or a transaction manager, begins and commits. */
    public static Builder builder() {
        return new Builder(null);
    }

    /**
     * Runs work in a transaction and commits it. Afterwards relays are notified. If the work throws, the transaction rolls back
     * and its exception comes out as it is.
     *
     * <p>An append to {@code tx} is checked at once and sent together with the COMMIT: a round trip less, and the sessions' locks
     * are held only while the transaction commits. The database's errors about it come from the commit. An append in a
     * nested transaction that rolls back is forgotten. A message that is appended through the plain connection of {@code tx} is
     * found by the relay's next poll.
     *
     * @throws IllegalStateException if the outbox was built without a data source, if the thread is in such a transaction
     *     already, or if the data source gives out the connection of an open transaction
     * @throws DataAccessException if the database fails. Where the commit's reply is lost, the transaction may have committed
     */
    public <X extends Exception> void inTransaction(TransactionWork<X> work) throws X {
        inTransactionResult(tx -> {
            work.run(tx);
            return true;
        });
    }

    /** Runs work with a result; as {@link #inTransaction}. */
    public <T extends @Nullable Object, X extends Exception> T inTransactionResult(
            TransactionWork.WithResult<T, X> work) throws X {
        return own().run(work);
    }

    /** Runs work on a plain connection, where each append takes a round trip of its own; as {@link #inTransaction}. */
    public <X extends Exception> void inJdbcTransaction(JdbcWork<X> work) throws X {
        inJdbcTransactionResult(tx -> {
            work.run(tx);
            return true;
        });
    }

    /** Runs work with a result on a plain connection; as {@link #inJdbcTransaction}. */
    public <T extends @Nullable Object, X extends Exception> T inJdbcTransactionResult(JdbcWork.WithResult<T, X> work)
            throws X {
        return own().runJdbc(work);
    }

    private OutboxTransactions own() {
        if (own == null) {
            throw new IllegalStateException(
                    "This outbox has no connections of its own: build it with Outbox.of(dataSource)");
        }
        return own;
    }

    /**
     * Appends one message in the transaction of the calling thread; for an outbox that knows it
     * ({@link Builder#transactions}). Relays are told of the commit.
     *
     * @throws NoTransactionException if the thread has no transaction
     * @throws InvalidMessageException if the destination does not take such a message
     * @throws IllegalStateException if the thread's transaction cannot write the outbox, or the outbox does not know
     *     it
     */
    public void append(OutboxMessage message) {
        append(List.of(message));
    }

    /** Appends messages in the order given, in one round trip; as {@link #append(OutboxMessage)}. */
    public void append(Collection<OutboxMessage> messages) {
        joined.require();
        Append append = parts(messages);
        if (!append.isEmpty()) {
            joined.append(append.immediate(), connection -> write(connection, append));
        }
    }

    /**
     * Appends one message in the transaction of {@code tx}.
     *
     * <p>Where connections come with auto-commit off, append cannot tell whether there is a transaction around it: see
     * {@link NoTransactionException}.
     *
     * @throws NoTransactionException if the connection is in auto-commit mode
     * @throws InvalidMessageException if the destination does not take such a message
     */
    public void append(DSLContext tx, OutboxMessage message) {
        append(tx, List.of(message));
    }

    /** Appends messages in the order given, in one round trip; as {@link #append(DSLContext, OutboxMessage)}. */
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

    /** Appends one message in the transaction of a plain connection; as {@link #append(DSLContext, OutboxMessage)}. */
    public void append(Connection tx, OutboxMessage message) {
        append(tx, List.of(message));
    }

    /** Appends messages in the transaction of a plain connection; as {@link #append(DSLContext, Collection)}. */
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
     * Notifies relays that a transaction with appends has committed, so that they need not wait for their next poll; for
     * transactions that the outbox neither begins nor joins. Call it after a commit that is known to have succeeded.
     *
     * <p>Sends a notification on {@link WakeChannel} in a transaction of its own, at most one in {@link WakeChannel#INTERVAL}
     * from one outbox; otherwise it does nothing and asks nobody. It also does nothing if the connection is still in a
     * transaction, or if notifications are switched off. A failure is logged at debug and never thrown: relays poll as well.
     *
     * @param committed a connection that is in no transaction, in auto-commit mode or not
     */
    public void wake(Connection committed) {
        news.notifyRelays(committed);
    }

    /**
     * Takes back a message that waits for its time ({@link OutboxMessage.Builder#notBefore}), in the transaction of {@code
     * tx}: if that rolls back, the message waits on. If the relay is just about to move the message, waits for its answer.
     *
     * @return true if the message will not be sent; false if it is too late, because it is in the outbox or was never
     *     scheduled
     * @throws NoTransactionException if the connection is in auto-commit mode
     */
    public boolean cancel(DSLContext tx, String destination, String id) {
        return tx.connectionResult(connection -> {
            requireTransaction(connection);
            return scheduled.cancel(connection, destination, id);
        });
    }

    /** Takes a message back in the transaction of a plain connection; as {@link #cancel(DSLContext, String, String)}. */
    public boolean cancel(Connection tx, String destination, String id) {
        return cancel(DSL.using(tx, SQLDialect.POSTGRES), destination, id);
    }

    /**
     * Takes a message back in the transaction of the calling thread; as
     * {@link #cancel(DSLContext, String, String)}.
     *
     * @throws NoTransactionException if the thread has no transaction
     * @throws IllegalStateException if the thread's transaction cannot write the outbox, or the outbox does not know
     *     it
     */
    public boolean cancel(String destination, String id) {
        return JoinedTransactions.run(joined.require(), connection -> {
            requireTransaction(connection);
            return scheduled.cancel(connection, destination, id);
        });
    }

    private Append parts(Collection<OutboxMessage> messages) {
        var append = new Append();
        for (OutboxMessage given : messages) {
            OutboxMessage message = claims.leaveBody(outfit.fit(given), append.bodies());
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
                news.actions(append.immediate()).forEach(transaction::afterCommit);
            }
        }
    }

    private void check(OutboxMessage message) {
        Destination destination = destinations.get(message.destination());
        if (destination != null) {
            destination.check(message);
        } else if (!destinations.isEmpty()) {
            throw new InvalidMessageException(message + " goes to none of the declared destinations "
                    + destinations.keySet().stream().sorted().toList());
        } else {
            MessageRules.checkSize(message, Destination.STANDARD_BYTES);
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new NoTransactionException();
        }
    }

    /** Collects the few settings of an outbox. Not thread-safe. */
    public static final class Builder {
        private final @Nullable DSLContext dsl;
        private SchemaName schema = SchemaName.DEFAULT;
        private final Map<String, Destination> destinations = new LinkedHashMap<>();
        private @Nullable PayloadCodec codec;
        private @Nullable ClaimStore claims;
        private TraceContext traceContext = TraceContext.NONE;
        private @Nullable String source;
        private @Nullable CurrentTransaction transactions;
        private @Nullable LocalRelay relay;
        private boolean notifying = true;
        private LongSupplier nanos = System::nanoTime;

        private Builder(@Nullable DSLContext dsl) {
            this.dsl = dsl;
        }

        /** The schema of Waybill's tables; {@link SchemaName#DEFAULT} unless told otherwise. */
        public Builder schema(SchemaName schema) {
            this.schema = schema;
            return this;
        }

        /** Declares a destination. Once one is declared, messages to any other are refused. */
        public Builder destination(Destination destination) {
            destinations.put(destination.name(), destination);
            return this;
        }

        /** Changes bodies before they are stored; none unless given. */
        public Builder codec(PayloadCodec codec) {
            this.codec = codec;
            return this;
        }

        /** Where large bodies are kept ({@link Destination#withClaimsAbove}); none are unless given. */
        public Builder claims(ClaimStore claims) {
            this.claims = claims;
            return this;
        }

        /** Lets messages continue the trace they are appended in; {@link TraceContext#NONE} unless given. */
        public Builder traceContext(TraceContext traceContext) {
            this.traceContext = traceContext;
            return this;
        }

        /** The name of the writing application, sent as {@link WireContract#SOURCE}; none unless given. */
        public Builder source(String source) {
            this.source = source;
            return this;
        }

        /**
         * How the outbox finds the transaction of the calling thread, for {@link Outbox#append(OutboxMessage)}.
         * Default: none; each append is then given its transaction.
         */
        public Builder transactions(CurrentTransaction transactions) {
            this.transactions = transactions;
            return this;
        }

        /**
         * The relay in this process, for the same database and schema. The outbox tells it of each commit by a call, and
         * notifies others through the database only where the relay does not publish all messages to the destination itself.
         * That spares the writers' connections up to 20 short transactions a second. Default: none.
         *
         * <p>It is told of the commits that relays are notified of: those of {@link Outbox#inTransaction}, those
         * of {@link #transactions}, and those of a consumer whose handler appends through the transaction that it is
         * given ({@link CommitActions}). After others, call the relay's own {@code wake()}; also where such a transaction
         * appends through its plain connection, for the destinations of these messages are not known at the commit.
         */
        public Builder relay(LocalRelay relay) {
            this.relay = relay;
            return this;
        }

        /**
         * Whether relays in other processes are told of commits, by a notification ({@link Outbox#wake}). Default: true.
         *
         * @param notifying false if they find what is appended by polling alone
         */
        public Builder notifying(boolean notifying) {
            this.notifying = notifying;
            return this;
        }

        /** The clock that spaces notifications. */
        Builder nanos(LongSupplier nanos) {
            this.nanos = nanos;
            return this;
        }

        /**
         * The outbox.
         *
         * @throws IllegalStateException if a destination keeps large bodies outside its messages and there is no claim store
         */
        public Outbox build() {
            return new Outbox(this);
        }
    }
}
