package dev.waybill.inbox;

import dev.waybill.inbox.connect.ConsumerGrants;
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
 * Handles the messages of a queue or subscription; each message takes effect once. With sessions, the consumer handles several sessions
 * concurrently and each in order. Without sessions, it handles several messages concurrently. A process may run several consumers.
 * Thread-safe.
 *
 * <p>Needs one database connection per concurrent session or message, and four more.
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

    /** Starts a builder. The consumer does not close the pool. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Starts to receive. Waits in the background for a database that is unavailable.
     *
     * @return this
     * @throws IllegalStateException if the consumer was started or closed before; if the tables are missing or too old; if the role lacks a grant or may
     *     not see all rows; if the pool's
     *     isolation level is not READ COMMITTED; if its connections alter stored bytes; or if the boundary's transactions do not meet
     *     its contract
     */
    public synchronized InboxConsumer start() {
        if (engine.isStarted()) {
            throw new IllegalStateException("Consumer '" + name + "' was started before; build a new one");
        }
        if (engine.isStopping()) {
            throw new IllegalStateException("Consumer '" + name + "' is closed; build a new one");
        }
        requireTables();
        requireTransactions();
        beatBeforeTheFirstMessage();
        engine.start();
        return this;
    }

    /** The health at this moment. Callable by any thread, before the start and after the end. Makes no call to database or broker. */
    public ConsumerHealth health() {
        return engine.health();
    }

    // The crash counter works only for known instances, so the first heartbeat precedes the first message.
    private void beatBeforeTheFirstMessage() {
        try {
            engine.beat();
        } catch (SQLException e) {
            starting.failed("Consumer '" + name + "' starts while the database is unavailable", e);
        }
    }

    private void requireTables() {
        try {
            DSLContext dsl = DSL.using(settings.store().dataSource(), SQLDialect.POSTGRES);
            dsl.connection(connection -> engine.outage().at(DatabaseAddress.of(connection)));
            dsl.connection(BinaryParameters::require);
            FeatureMissing.require(dsl, settings.store().schema(), "inbox_message");
            Prerequisites.require(dsl, settings.store().schema());
            ConsumerGrants.require(dsl, settings.store().schema());
            ConsumerEngine.requireIsolation(dsl);
        } catch (DataAccessException e) {
            if (!DatabaseErrors.isDatabaseDown(e)) {
                throw e;
            }
            starting.failed("Consumer '" + name + "' starts while the database is unavailable", e);
        }
    }

    // On a new thread, like the handlers': the caller's thread may have a transaction or a manager's context.
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
                    : new IllegalStateException("The check of the transaction boundary failed", e);
        }
    }

    private void prove(CompletableFuture<@Nullable Void> proof) {
        try {
            engine.requireTransactions();
            proof.complete(null);
        } catch (SQLException e) {
            starting.failed("Consumer '" + name + "' starts while the database is unavailable", e);
            proof.complete(null);
        } catch (Throwable e) {
            proof.completeExceptionally(e);
        }
    }

    /**
     * Stops receiving. Lets messages in flight settle within the drain time, then interrupts their handlers and closes the source.
     * Waits at most 5 s for a connection. An interrupt does not shorten this and is restored afterwards. An exception of the source
     * does not shorten it either; it is thrown at the end. Idempotent.
     *
     * <p>On one of the consumer's own threads, for example in a handler, it returns at once. The consumer closes after the current
     * message is settled.
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

    /** Collects a consumer's settings. Not thread-safe. */
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

        /** The name under which the consumer records ids: each name handles every message once. Must not change between deployments. */
        public Builder name(String name) {
            options.name = name;
            return this;
        }

        /** The source of messages. The consumer closes it. */
        public Builder source(MessageSource source) {
            options.source = source;
            return this;
        }

        public Builder handler(Handler handler) {
            options.handler = handler;
            return this;
        }

        /** A handler that uses a plain connection. */
        public Builder jdbcHandler(JdbcHandler handler) {
            return handler(Handler.onConnection(handler));
        }

        /** The store of bodies that writers keep outside their messages. Default: none; {@link InboundMessage#body} then throws. */
        public Builder claims(ClaimStore claims) {
            options.claims = claims;
            return this;
        }

        /**
         * The codec of the writers; handlers get decoded bodies. Default: none; handlers get bodies as sent. A message that the codec
         * cannot decode does not reach the handler. It counts as failed, by the consumer's policies.
         */
        public Builder codec(PayloadCodec codec) {
            options.codec = codec;
            return this;
        }

        /** The boundary of handlers' transactions, on the database of the consumer's pool. Default: the consumer's own transactions. */
        public Builder transactions(TransactionBoundary boundary) {
            options.boundary = boundary;
            return this;
        }

        /** The policy for work outside the transaction, as far as the boundary detects it. Default: {@link OutsideWork#REFUSE}. */
        public Builder outsideWork(OutsideWork outsideWork) {
            options.outsideWork = outsideWork;
            return this;
        }

        /** Receives the outcomes of messages. Default: none. */
        public Builder listener(ConsumerListener listener) {
            options.listener = listener;
            return this;
        }

        /** How the consumer retries a failed message under its lock. Default: {@link RetryPolicy#DEFAULT}. */
        public Builder retries(RetryPolicy retries) {
            options.retries = retries;
            return this;
        }

        /** How often a message may come again. Default: {@link DeliveryPolicy#DEFAULT}. */
        public Builder deliveries(DeliveryPolicy deliveries) {
            options.deliveries = deliveries;
            return this;
        }

        /** Classifies exceptions. {@link FailurePolicy#STANDARD} follows where this policy returns empty. */
        public Builder failures(FailurePolicy failures) {
            options.failures = failures;
            return this;
        }

        /** The policy for a failed message and its session. Default: {@link OnFailure#DEAD_LETTER}. */
        public Builder onFailure(OnFailure policy) {
            options.onFailure = policy;
            return this;
        }

        /** How long the consumer remembers ids. Default: for ever. */
        public Builder retention(Retention retention) {
            options.retention = retention;
            return this;
        }

        /**
         * How many messages of a session share one transaction, 1 to 50. Default: 1. A savepoint precedes each message, so a failed one
         * does not undo the others. After a crash all of them come again.
         */
        public Builder batch(int messages) {
            options.batch = messages;
            return this;
        }

        /** The hook that is called when a session is accepted and released. Default: none. */
        public Builder sessionHook(SessionHook hook) {
            options.sessionHook = hook;
            return this;
        }

        /** How many sessions, or messages of an entity without sessions, are handled concurrently, 1 to 1,000. Default: 8. */
        public Builder concurrency(int concurrency) {
            options.concurrency = concurrency;
            return this;
        }

        /** How long a handler may take. The consumer then interrupts it and rolls its attempt back. Default: 5 min. */
        public Builder handlerTimeout(Duration timeout) {
            options.handlerTimeout = timeout;
            return this;
        }

        /** Changes tuning settings: {@code tuning(tuning -> tuning.readAhead(50))}. Repeatable. */
        public Builder tuning(Consumer<ConsumerTuning> change) {
            change.accept(new ConsumerTuning(options));
            return this;
        }

        /**
         * Builds and {@linkplain InboxConsumer#start() starts} the consumer. Throws as {@link #build} and {@link
         * InboxConsumer#start()}.
         */
        public InboxConsumer start() {
            return build().start();
        }

        /**
         * Builds the consumer without starting it.
         *
         * @throws IllegalStateException if a setting is missing, out of range or does not fit the entity
         */
        public InboxConsumer build() {
            return new InboxConsumer(options.checked());
        }
    }
}
