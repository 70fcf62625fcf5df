package dev.waybill.test;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.test.servicebus.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that works on demand. {@link #handleAll} runs the real consumer with its threads until nothing is left for it, and stops
 * it. A failed message is retried for half a second by default.
 */
public final class TestConsumer implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long LOOK_MILLIS = 10;

    private static final RetryPolicy QUICK =
            new RetryPolicy(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500));

    private final Terms terms;
    private final EmbeddedServiceBus bus;
    private final TestBroker broker;
    private final OutboxTables tables;
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable InboxConsumer running;

    TestConsumer(Terms terms, EmbeddedServiceBus bus, TestBroker broker, OutboxTables tables) {
        this.terms = terms;
        this.bus = bus;
        this.broker = broker;
        this.tables = tables;
    }

    record Terms(
            String name,
            String entity,
            Handler handler,
            UnaryOperator<InboxConsumer.Builder> settings,
            DataSource dataSource,
            SchemaName schema) {}

    /**
     * Handles all messages, including those that arrive meanwhile, due holds and resumed deferrals.
     *
     * @return the messages in the order in which they were settled, each with its outcome and the handler's exception
     * @throws AssertionError after 30 s, naming what is left
     */
    public SeenMessages handleAll() throws InterruptedException {
        return handleAll(PATIENCE);
    }

    public SeenMessages handleAll(Duration atMost) throws InterruptedException {
        if (running != null) {
            throw new IllegalStateException("Consumer '" + terms.name + "' was started and handles by itself");
        }
        var record = new Settled();
        try (InboxConsumer consumer = build(record)) {
            consumer.start();
            awaitNothingLeft(record, atMost);
        }
        return new SeenMessages("settled by consumer '" + terms.name + "'", record.settled(), tables::unseen);
    }

    /** Starts the consumer, until the test ends or it is closed. */
    public TestConsumer start() {
        if (running == null) {
            running = build(new Settled()).start();
        }
        return this;
    }

    /** Exceptions of the handler so far, one for each try. */
    public List<Throwable> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    private InboxConsumer build(Settled record) {
        boolean sessions = bus.requiresSession(TestBroker.path(terms.entity));
        InboxConsumer.Builder builder = InboxConsumer.builder(terms.dataSource)
                .schema(terms.schema)
                .name(terms.name)
                .source(broker.source(terms.entity, sessions))
                .handler(terms.handler)
                .concurrency(4)
                .retries(QUICK)
                .tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(20)));
        return terms.settings.apply(builder).listener(record).build();
    }

    private void awaitNothingLeft(Settled record, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (isAnythingLeft()) {
            if (System.nanoTime() - end > 0) {
                throw timedOut(record, atMost);
            }
            boolean unused = record.news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Whether the broker or the database has something for it. */
    boolean isAnythingLeft() {
        return bus.inspect(TestBroker.path(terms.entity)).active() > 0
                || !tables.errands(terms.name).isEmpty();
    }

    private AssertionError timedOut(Settled record, Duration atMost) {
        var snapshot = bus.inspect(TestBroker.path(terms.entity));
        var text = new StringBuilder("Consumer '" + terms.name + "' was not done after " + atMost + ": '" + terms.entity
                + "' still has " + snapshot.active() + " messages, " + snapshot.locked() + " of them in hand; "
                + record.settled().size() + " were settled");
        tables.errands(terms.name)
                .forEach(errand -> text.append("\nStill to be handled: ").append(errand));
        var error = new AssertionError(text.toString());
        failures().forEach(error::addSuppressed);
        return error;
    }

    @Override
    public void close() {
        InboxConsumer consumer = running;
        running = null;
        if (consumer != null) {
            consumer.close();
        }
    }

    private final class Settled implements ConsumerListener {
        private final Semaphore news = new Semaphore(0);
        private final List<SeenMessage> settled = new ArrayList<>();
        private final Map<String, Throwable> last = new ConcurrentHashMap<>();

        @Override
        public void settled(InboundMessage message, Outcome outcome) {
            Throwable thrown = last.remove(message.id());
            String detail = thrown == null ? outcome.name() : outcome.name() + " after " + thrown;
            var seen = new SeenMessage(
                    message.id(), terms.entity, message.session(), message.subject(), message.text(), detail);
            synchronized (settled) {
                settled.add(seen);
            }
            news.release();
        }

        @Override
        public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
            last.put(message.id(), thrown);
            synchronized (failures) {
                failures.add(thrown);
            }
        }

        List<SeenMessage> settled() {
            synchronized (settled) {
                return List.copyOf(settled);
            }
        }
    }
}
