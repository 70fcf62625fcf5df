package dev.waybill.inbox;

import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.run.ConsumerEngine;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.DatabaseAddress;
import dev.waybill.supervision.DeferredInterrupts;
import dev.waybill.supervision.Fault;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the messages of a queue or subscription, every message's effects once: with sessions several of them
 * side by side, each in order; without sessions several messages side by side. A process may have several
 * consumers. Thread-safe.
 *
 * <p>Needs a database connection per concurrent session or message, and four to spare.
 */
public final class InboxConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InboxConsumer.class);

    private final Fault starting = new Fault(LOG, System::nanoTime);

    private final ConsumerSettings settings;
    private final String name;
    private final MessageSource source;
    private final ConsumerEngine engine;

    private InboxConsumer(ConsumerSettings settings) {
        this.settings = settings;
        name = settings.store().consumer();
        source = settings.application().source();
        engine = new ConsumerEngine(settings);
    }

    /** Starts the settings of a consumer on a connection pool. The pool stays the caller's. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Starts to receive. If the database cannot be reached yet, that is waited for.
     *
     * @return this
     * @throws IllegalStateException if it was started or closed before, if the tables are missing or too old for
     *     this code, if the pool's transactions have another isolation level than READ COMMITTED or its
     *     connections would store other bytes than they are given, or if its boundary's transactions are not what
     *     they have to be
     */
    public synchronized InboxConsumer start() {
        if (engine.isStarted()) {
            throw new IllegalStateException("Consumer '" + name + "' has been started before");
        }
        if (engine.isStopping()) {
            throw new IllegalStateException("Consumer '" + name + "' has been closed");
        }
        requireTables();
        requireTransactions();
        beatBeforeTheFirstMessage();
        engine.start();
        return this;
    }

    /**
     * How it is at this moment. By any thread, also before the start and after the end. Asks neither database nor
     * broker.
     */
    public ConsumerHealth health() {
        return engine.health();
    }

    // A message that ends every process at once must find it known that processes end.
    private void beatBeforeTheFirstMessage() {
        try {
            engine.beat();
        } catch (SQLException e) {
            starting.failed("Consumer '" + name + "' starts while the database cannot be reached", e);
        }
    }

    private void requireTables() {
        try {
            DSLContext dsl = DSL.using(settings.store().dataSource(), SQLDialect.POSTGRES);
            dsl.connection(connection -> engine.outage().at(DatabaseAddress.of(connection)));
            dsl.connection(BinaryParameters::require);
            FeatureMissing.require(dsl, settings.store().schema(), "inbox_message");
            Prerequisites.require(dsl, settings.store().schema());
            ConsumerEngine.requireIsolation(dsl);
        } catch (DataAccessException e) {
            if (!DatabaseErrors.isDatabaseDown(e)) {
                throw e;
            }
            starting.failed("Consumer '" + name + "' starts while the database cannot be reached", e);
        }
    }

    // In a thread like those of its handlers: the caller's may have a transaction, or be known to a manager that
    // they are not.
    private void requireTransactions() {
        if (settings.application().boundary() == null) {
            return;
        }
        var proof = new CompletableFuture<@Nullable Void>();
        var thread = new Thread(() -> prove(proof), "waybill-inbox-" + name + "-proof");
        thread.setDaemon(true);
        thread.start();
        try {
            proof.get();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Consumer '" + name + "' was interrupted while it started", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IllegalStateException refusal
                    ? refusal
                    : new IllegalStateException("The transaction boundary could not be looked at", e);
        }
    }

    private void prove(CompletableFuture<@Nullable Void> proof) {
        try {
            engine.requireTransactions();
            proof.complete(null);
        } catch (SQLException e) {
            starting.failed("Consumer '" + name + "' starts while the database cannot be reached", e);
            proof.complete(null);
        } catch (Throwable e) {
            proof.completeExceptionally(e);
        }
    }

    /**
     * Takes no more messages, lets those under way be settled, at most for the drain time, then interrupts their
     * handlers and closes the source. A connection is waited for no longer than 5 s. An interrupt cuts none of this
     * short, and is kept; nor does what the source throws, which is thrown in the end. Idempotent.
     *
     * <p>Called by a handler, or by whatever else the consumer's own threads call, it returns at once, and the consumer
     * closes when the message in hand is settled.
     */
    @Override
    public void close() {
        engine.stop();
        if (engine.isCurrent()) {
            var closing = new Thread(this::closeNow, "waybill-inbox-" + name + "-close");
            closing.setDaemon(true);
            closing.start();
        } else {
            closeNow();
        }
    }

    private synchronized void closeNow() {
        try (var interrupts = new DeferredInterrupts();
                BoundedWaits.Limit limit = engine.limitWaits()) {
            try {
                endReceiving(interrupts);
            } finally {
                if (engine.end() && engine.isStarted()) {
                    limit.last("waybill-inbox-" + name + "-leave", engine::leave);
                }
            }
        }
    }

    private void endReceiving(DeferredInterrupts interrupts) {
        try {
            source.stopAccepting();
        } finally {
            drain(interrupts);
        }
    }

    private void drain(DeferredInterrupts interrupts) {
        try {
            engine.drain();
        } finally {
            interrupts.deferAgain();
            source.close();
        }
    }

    /** Collects the settings of a consumer. Not thread-safe. */
    public static final class Builder {
        private final ConsumerOptions options;

        private Builder(DataSource dataSource) {
            options = new ConsumerOptions(dataSource);
        }

        /** The schema of Waybill's tables. Default: {@link SchemaName#DEFAULT}. */
        public Builder schema(SchemaName schema) {
            options.schema = schema;
            return this;
        }

        /**
         * The name of the consumer's memory: each name handles every message once. Must not change from deployment to
         * deployment.
         */
        public Builder name(String name) {
            options.name = name;
            return this;
        }

        /** Where the messages come from; the consumer closes it. */
        public Builder source(MessageSource source) {
            options.source = source;
            return this;
        }

        /** The handler of messages. */
        public Builder handler(Handler handler) {
            options.handler = handler;
            return this;
        }

        /** The handler of messages, on the plain connection of the transaction. */
        public Builder jdbcHandler(JdbcHandler handler) {
            return handler(Handler.onConnection(handler));
        }

        /**
         * Where the bodies are that writers keep outside their messages; handlers then find them in the message.
         * Without one, asking such a message for its body is an error.
         */
        public Builder claims(ClaimStore claims) {
            options.claims = claims;
            return this;
        }

        /**
         * The codec that the writers use; handlers then find bodies as their writers built them. Default: none;
         * bodies are as they were sent. A message that it cannot decode does not reach the handler, and counts as
         * failed in the way that the consumer's policies say.
         */
        public Builder codec(PayloadCodec codec) {
            options.codec = codec;
            return this;
        }

        /**
         * The boundary of the transactions that handlers run in. Default: the consumer's own. They have to be of
         * the same database as the pool that the consumer was built with, which it still uses for all else.
         */
        public Builder transactions(TransactionBoundary boundary) {
            options.boundary = boundary;
            return this;
        }

        /**
         * The policy for a message whose handler has worked outside its transaction, as far as the boundary can
         * tell. Default: {@link OutsideWork#REFUSE}.
         */
        public Builder outsideWork(OutsideWork outsideWork) {
            options.outsideWork = outsideWork;
            return this;
        }

        /** The listener to the results of messages. Default: none. */
        public Builder listener(ConsumerListener listener) {
            options.listener = listener;
            return this;
        }

        /** How a failed message is tried again under its lock. Default: {@link RetryPolicy#DEFAULT}. */
        public Builder retries(RetryPolicy retries) {
            options.retries = retries;
            return this;
        }

        /** How often a message may come again. Default: {@link DeliveryPolicy#DEFAULT}. */
        public Builder deliveries(DeliveryPolicy deliveries) {
            options.deliveries = deliveries;
            return this;
        }

        /** Classifies exceptions. {@link FailurePolicy#STANDARD} is asked where this has no answer. */
        public Builder failures(FailurePolicy failures) {
            options.failures = failures;
            return this;
        }

        /** The policy for a failed message and its session. Default: {@link OnFailure#DEAD_LETTER}. */
        public Builder onFailure(OnFailure policy) {
            options.onFailure = policy;
            return this;
        }

        /** How long ids are remembered. Default: for ever. */
        public Builder retention(Retention retention) {
            options.retention = retention;
            return this;
        }

        /**
         * How many messages of a session are handled in one transaction, 1 to 50. Default: 1. Each is behind a
         * savepoint, so that a failed one costs the others nothing; a crash brings all of them again.
         */
        public Builder batch(int messages) {
            options.batch = messages;
            return this;
        }

        /** The hook that is told of sessions as they come and go. Default: none. */
        public Builder sessionHook(SessionHook hook) {
            options.sessionHook = hook;
            return this;
        }

        /** Sessions, or messages of an entity without sessions, handled side by side. Default: 8. */
        public Builder concurrency(int concurrency) {
            options.concurrency = concurrency;
            return this;
        }

        /** How long a handler may take before it is interrupted, and its try rolled back. Default: 5 min. */
        public Builder handlerTimeout(Duration timeout) {
            options.handlerTimeout = timeout;
            return this;
        }

        /** Sets how the consumer works, for those who measure: {@code tuning(tuning -> tuning.readAhead(50))}. May be called again. */
        public Builder tuning(Consumer<ConsumerTuning> change) {
            change.accept(new ConsumerTuning(options));
            return this;
        }

        /**
         * The consumer, {@linkplain InboxConsumer#start() started}.
         *
         * @throws IllegalStateException as {@link #build} and {@link InboxConsumer#start()}
         */
        public InboxConsumer start() {
            return build().start();
        }

        /**
         * The consumer, not yet started.
         *
         * @throws IllegalStateException naming the setting that is missing, out of range or at odds with the
         *     entity
         */
        public InboxConsumer build() {
            return new InboxConsumer(options.checked());
        }
    }
}
