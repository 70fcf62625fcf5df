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

    /** An outbox on the test's schema. */
    public Outbox outbox() {
        return outbox;
    }

    /** The schema of Waybill's tables. */
    public SchemaName schema() {
        return schema;
    }

    /** The broker: its faults, its clock, its entities. */
    public EmbeddedServiceBus bus() {
        return bus;
    }

    /** By which clients of Service Bus reach the broker. */
    public String connectionString() {
        return bus.connectionString();
    }

    /** Does something in a transaction and commits it; what is thrown rolls it back. */
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

    /** Work in a transaction. */
    @FunctionalInterface
    public interface Work {
        /** Uses the connection and leaves its transaction open. */
        void in(Connection tx) throws Exception;
    }

    /**
     * Publishes all that is committed and due now, by a relay without threads, and returns when the broker has it.
     *
     * @return how many messages the broker has taken
     * @throws AssertionError if something is left that is neither held nor paused, saying what and why
     */
    public int publish() {
        return turns.publish();
    }

    /** A relay that publishes by itself from now on until the test ends. */
    public Relay startRelay(String... destinations) {
        Relay.Builder relay =
                Relay.builder(database.dataSource()).schema(schema).publisher(broker.publisher());
        for (String destination : destinations) {
            relay.destination(destination);
        }
        return closedAtTheEnd(relay.build()).start();
    }

    /** A consumer that handles messages when it is told to; see {@link TestConsumer}. */
    public TestConsumer consumer(String name, String entity, Handler handler) {
        return consumer(name, entity, handler, UnaryOperator.identity());
    }

    /** The same with settings of its own; all but its listener. */
    public TestConsumer consumer(
            String name, String entity, Handler handler, UnaryOperator<InboxConsumer.Builder> settings) {
        var terms = new TestConsumer.Terms(name, entity, handler, settings, database.dataSource(), schema);
        return closedAtTheEnd(new TestConsumer(terms, bus, broker, tables));
    }

    /**
     * Calls a handler in a transaction as a consumer would, looks at what it did, and rolls back; see
     * {@link HandlerTrial}.
     */
    public Verdict tryOut(Handler handler, InboundMessage message, HandlerTrial.Look look) throws Exception {
        return HandlerTrial.of(dataSource, handler, message, look);
    }

    /** Messages that were appended and committed, published or not, in the order in which it is published. */
    public SeenMessages appended() {
        return tables.appended();
    }

    /** Messages that wait for their time in the outbox. */
    public SeenMessages scheduled() {
        return tables.scheduled();
    }

    /**
     * Messages that an entity of the broker has taken, in order, whatever became of them. Subject and body are not known. The
     * id is that of the outbox. Where the broker knows the message by another one, as a message that was sent again
     * from a dead-letter queue, the detail tells that.
     *
     * @throws IllegalArgumentException if there is no such entity
     */
    public SeenMessages published(String entity) {
        requireEntity(entity);
        return new SeenMessages(
                        "published to '" + entity + "'",
                        bus.journal(TestBroker.path(entity)).stored().stream()
                                .map(stored -> published(entity, stored))
                                .toList())
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

    /** The ids that a consumer has recorded: the effects of these messages are committed. */
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
     * Makes sure that every append was committed or rolled back on purpose: none is left in a connection that was
     * closed, or that waits, without either. Sees the connections of {@link #dataSource} and {@link #watch}, and
     * of all others those that are still open.
     */
    public void requireAppendsCommitted() {
        appends.requireNone(tables.dsl());
    }

    /** Makes due what waits for a time. */
    public TestTime time() {
        return new TestTime(database.dataSource(), schema, bus);
    }

    private synchronized <T extends AutoCloseable> T closedAtTheEnd(T resource) {
        open.push(resource);
        return resource;
    }

    /** Ends what a test has started, and leaves broker and database for the next one. */
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
        if (failed != null) {
            throw failed;
        }
    }
}
