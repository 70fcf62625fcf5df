package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import dev.waybill.outbox.ClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the messages of an entity with sessions: several sessions side by side, each in order, every message's effects
 * once. Thread-safe.
 *
 * <p>Needs a database connection per concurrent session.
 */
public final class InboxConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InboxConsumer.class);
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(1);

    private final Builder settings;
    private final SessionSource source;
    private final SessionTurn turn;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> workers = new ArrayList<>();

    private InboxConsumer(Builder settings, SessionSource source, Handler handler) {
        this.settings = settings;
        this.source = source;
        var transaction = new InboxTransaction(
                DSL.using(settings.dataSource, SQLDialect.POSTGRES),
                Inbox.in(settings.schema),
                settings.name,
                new BodyClaiming(handler, settings.claims));
        var messages = new MessageTurn(transaction, settings.retries, this::rest, settings.listener, System::nanoTime);
        turn = new SessionTurn(source, messages, settings.sessionIdle, () -> stop.getCount() == 0);
    }

    /** Starts the settings of a consumer on a connection pool. The pool stays the caller's. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Starts to receive.
     *
     * @return this
     */
    public synchronized InboxConsumer start() {
        for (int i = 0; i < settings.concurrentSessions; i++) {
            var worker = new Thread(this::work, "waybill-inbox-" + settings.name + "-" + i);
            worker.setDaemon(true);
            workers.add(worker);
            worker.start();
        }
        return this;
    }

    /** Lets the messages under way be settled, at most for the drain time, then closes the source. Idempotent. */
    @Override
    public synchronized void close() {
        stop.countDown();
        source.stopAccepting();
        try {
            long deadline = System.nanoTime() + settings.drain.toNanos();
            for (Thread worker : workers) {
                worker.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            source.close();
            workers.forEach(Thread::interrupt);
        }
    }

    private void work() {
        try {
            while (stop.getCount() > 0) {
                takeTurn();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeTurn() throws InterruptedException {
        try {
            turn.run();
        } catch (RuntimeException e) {
            if (rest(Duration.ZERO)) {
                LOG.warn("Consumer '{}' could not receive and goes on in {}", settings.name, REST_AFTER_FAILURE, e);
                rest(REST_AFTER_FAILURE);
            }
        }
    }

    private boolean rest(Duration pause) throws InterruptedException {
        return !stop.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Collects the settings of a consumer. Not thread-safe. */
    public static final class Builder {
        private final DataSource dataSource;
        private SchemaName schema = SchemaName.DEFAULT;
        private String name = "";
        private @Nullable SessionSource source;
        private @Nullable Handler handler;
        private @Nullable ClaimStore claims;
        private ConsumerListener listener = ConsumerListener.SILENT;
        private RetryPolicy retries = RetryPolicy.DEFAULT;
        private int concurrentSessions = 8;
        private Duration sessionIdle = Duration.ofSeconds(1);
        private Duration drain = Duration.ofSeconds(30);

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** The schema of Waybill's tables; {@link SchemaName#DEFAULT} unless told otherwise. */
        public Builder schema(SchemaName schema) {
            this.schema = schema;
            return this;
        }

        /** Whose memory this is: each name handles every message once. Must not change from deployment to deployment. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** Where the sessions come from; the consumer closes it. */
        public Builder source(SessionSource source) {
            this.source = source;
            return this;
        }

        /** What to do with a message. */
        public Builder handler(Handler handler) {
            this.handler = handler;
            return this;
        }

        /**
         * Where the bodies are that writers keep outside their messages; handlers then find them in the message. Without
         * one, asking such a message for its body is an error.
         */
        public Builder claims(ClaimStore claims) {
            this.claims = claims;
            return this;
        }

        /** Hears what becomes of messages. */
        public Builder listener(ConsumerListener listener) {
            this.listener = listener;
            return this;
        }

        /** How a failed message is tried again; {@link RetryPolicy#DEFAULT} unless told otherwise. */
        public Builder retries(RetryPolicy retries) {
            this.retries = retries;
            return this;
        }

        /** Sessions handled side by side, 1 to 250; 8 unless told otherwise. */
        public Builder concurrentSessions(int sessions) {
            this.concurrentSessions = sessions;
            return this;
        }

        /** How long a session without messages is kept; 1 s unless told otherwise. */
        public Builder sessionIdle(Duration idle) {
            this.sessionIdle = idle;
            return this;
        }

        /** How long {@link #close()} waits for messages under way; 30 s unless told otherwise. */
        public Builder drain(Duration drain) {
            this.drain = drain;
            return this;
        }

        /**
         * The consumer, not yet started.
         *
         * @throws IllegalStateException naming the setting that is missing or out of range
         */
        public InboxConsumer build() {
            require(!name.isBlank(), "A consumer needs a name");
            require(
                    concurrentSessions >= 1 && concurrentSessions <= 250,
                    "A consumer handles 1 to 250 sessions at a time");
            if (source == null || handler == null) {
                throw new IllegalStateException("Consumer '" + name + "' needs a source and a handler");
            }
            return new InboxConsumer(this, source, handler);
        }

        private static void require(boolean condition, String message) {
            if (!condition) {
                throw new IllegalStateException(message);
            }
        }
    }
}
