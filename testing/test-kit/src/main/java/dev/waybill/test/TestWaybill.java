package dev.waybill.test;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.Outbox;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.test.jdbc.WatchedDataSource;
import dev.waybill.test.servicebus.TestBroker;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Waybill for one test: its database, its broker, what moves messages between them and what is where. Entities are
 * named as {@code queue} or {@code topic/subscription}. Closed by {@link WaybillExtension} when the test ends,
 * with all that was made through it. Thread-safe, but for {@link #publish}.
 */
public final class TestWaybill {
    private final KitDatabase database;
    private final SchemaName schema;
    private final EmbeddedServiceBus bus;
    private final Outbox outbox;
    private final DataSource dataSource;
    private final UncommittedAppends appends;
    private final OutboxTables tables;
    private final TestBroker broker;
    private final SingleTurns turns;
    private final Map<String, TestConsumer> consumers = new LinkedHashMap<>();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    TestWaybill(KitDatabase database, SchemaName schema, EmbeddedServiceBus bus, Outbox outbox) {
        this.database = database;
        this.schema = schema;
        this.bus = bus;
        this.outbox = outbox;
        appends = new UncommittedAppends(schema);
        dataSource = WatchedDataSource.of(database.dataSource(), appends);
        tables = new OutboxTables(database.dataSource(), schema);
        broker = new TestBroker(bus.connectionString());
        turns = new SingleTurns(database.dataSource(), schema, broker, tables);
    }

    /** Connections to the test's database, watched for {@link #requireAppendsCommitted}. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Another pool of the service on the same database, watched in the same way. */
    public DataSource watch(DataSource pool) {
        return WatchedDataSource.of(pool, appends);
    }

    public Outbox outbox() {
        return outbox;
    }

    public SchemaName schema() {
        return schema;
    }

    /** The broker, with its faults and its clock. */
    public EmbeddedServiceBus bus() {
        return bus;
    }

    public String connectionString() {
        return bus.connectionString();
    }

    /** Runs work in a transaction: commits it, or rolls it back if the work throws. */
    public void transaction(Work work) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.in(connection);
                connection.commit();
            } catch (Throwable e) {
                connection.rollback();
                throw e;
            }
        }
    }

    @FunctionalInterface
    public interface Work {
        void in(Connection tx) throws Exception;
    }

    /**
     * Publishes everything that is committed and due, by a relay without threads.
     *
     * @return how many messages the broker has accepted
     * @throws AssertionError if a message is left that is neither held nor paused, saying why; if there is none, and a transaction
     *     that has appended is open
     */
    public int publish() {
        int published = turns.publish();
        String unseen = published == 0 ? tables.unseen() : "";
        if (!unseen.isEmpty()) {
            throw new AssertionError("publish() has found no message." + unseen);
        }
        return published;
    }

    /** A relay with its threads, until the test ends. */
    public Relay startRelay(String... destinations) {
        Relay.Builder relay =
                Relay.builder(database.dataSource()).schema(schema).publisher(broker.publisher());
        for (String destination : destinations) {
            relay.destination(destination);
        }
        return closedAtTheEnd(relay.build()).start();
    }

    /** A consumer that handles on demand; see {@link TestConsumer}. */
    public TestConsumer consumer(String name, String entity, Handler handler) {
        return consumer(name, entity, handler, UnaryOperator.identity());
    }

    public TestConsumer consumer(
            String name, String entity, Handler handler, UnaryOperator<InboxConsumer.Builder> settings) {
        var terms = new TestConsumer.Terms(name, entity, handler, settings, database.dataSource(), schema);
        var consumer = closedAtTheEnd(new TestConsumer(terms, bus, broker, tables));
        synchronized (this) {
            consumers.put(name, consumer);
        }
        return consumer;
    }

    /**
     * Publishes and lets each consumer of this test handle, one after the other, until nothing moves: also what handlers have appended.
     * Consumers are those of {@link #consumer}, of several with one name the last; in a Spring test, all of the service's.
     *
     * @return what was settled, in order
     * @throws AssertionError as {@link #publish} and {@link TestConsumer#handleAll()}, and if messages still move after 30 s
     */
    public SeenMessages runUntilQuiet() throws InterruptedException {
        return new QuietRun(this::publish, known(), tables).run();
    }

    private synchronized List<TestConsumer> known() {
        return List.copyOf(consumers.values());
    }

    public Verdict tryOut(Handler handler, InboundMessage message, HandlerTrial.Look look) throws Exception {
        return HandlerTrial.of(dataSource, handler, message, look);
    }

    /** Committed messages, published or not, in the order of publishing. */
    public SeenMessages appended() {
        return tables.appended();
    }

    public SeenMessages scheduled() {
        return tables.scheduled();
    }

    /**
     * Messages that an entity of the broker has accepted, in order. The id is the outbox's; if the broker has another one, the detail
     * says so. Subject and body are not known.
     *
     * @throws IllegalArgumentException if there is no such entity
     */
    public SeenMessages published(String entity) {
        requireEntity(entity);
        return new SeenMessages(
                        "published to '" + entity + "'",
                        bus.journal(TestBroker.path(entity)).stored().stream()
                                .map(stored -> published(entity, stored))
                                .toList(),
                        tables::unseen)
                .without(SeenMessages.Part.SUBJECT);
    }

    private static SeenMessage published(String entity, Stored stored) {
        String brokerId = String.valueOf(stored.messageId());
        Object logical = stored.applicationProperties().get(WireContract.LOGICAL_ID);
        return SeenMessage.of(
                TestBroker.logicalId(brokerId, logical),
                entity,
                Optional.ofNullable(stored.sessionId()),
                TestBroker.brokerId(brokerId, logical));
    }

    // The journal of an entity that does not exist is empty, and so is every list made of it.
    private void requireEntity(String entity) {
        bus.inspect(TestBroker.path(entity));
    }

    /** The ids that a consumer has recorded, which means that their effects are committed. */
    public SeenMessages handled(String consumer) {
        return tables.handled(consumer).without(SeenMessages.Part.SESSION, SeenMessages.Part.SUBJECT);
    }

    /** Messages in an entity's dead-letter queue, each with its reason. */
    public SeenMessages deadLettered(String entity) {
        return new SeenMessages(
                "in the dead-letter queue of '" + entity + "'",
                broker.deadLetters(entity).stream()
                        .map(letter -> new SeenMessage(
                                letter.id(),
                                entity,
                                Optional.of(letter.session()).filter(text -> !text.isEmpty()),
                                Optional.of(letter.subject()).filter(text -> !text.isEmpty()),
                                letter.body(),
                                letter.why()))
                        .toList());
    }

    /** Messages on hold, of destinations and of consumers. */
    public SeenMessages held() {
        return tables.held();
    }

    /**
     * Fails if an append was neither committed nor rolled back on purpose: in a closed connection of {@link #dataSource} or {@link
     * #watch}, or in any open one.
     */
    public void requireAppendsCommitted() {
        appends.requireNone(tables);
    }

    public TestTime time() {
        return new TestTime(database.dataSource(), schema, bus);
    }

    private synchronized <T extends AutoCloseable> T closedAtTheEnd(T resource) {
        open.push(resource);
        return resource;
    }

    synchronized void endOfTest() throws Exception {
        open.addLast(turns);
        closeAll();
    }

    synchronized void close() throws Exception {
        open.addLast(turns);
        open.addLast(bus);
        open.addLast(database);
        closeAll();
    }

    private void closeAll() throws Exception {
        Exception failed = null;
        for (AutoCloseable resource : open) {
            try {
                resource.close();
            } catch (Exception e) {
                if (failed == null) {
                    failed = e;
                } else {
                    failed.addSuppressed(e);
                }
            }
        }
        open.clear();
        consumers.clear();
        if (failed != null) {
            throw failed;
        }
    }
}
