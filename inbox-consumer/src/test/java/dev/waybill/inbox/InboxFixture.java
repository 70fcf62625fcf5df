package dev.waybill.inbox;

import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.LockWatchdog;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.run.Turns;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.SupervisedLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Tables, a table of effects, and turns over scripted receivers on a clock that moves with every look at it. */
public final class InboxFixture {
    static {
        // A loaded machine is slow, not wrong.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    static final Handler DONE = (tx, message) -> Verdict.done();
    private static final long TICK = Duration.ofMillis(10).toNanos();

    public final SchemaName schema;
    public final DSLContext dsl;
    public final DataSource dataSource;
    final AtomicLong clock = new AtomicLong();
    final AtomicBoolean stopping = new AtomicBoolean();
    WorkerClock workerClock = new WorkerClock(() -> clock.getAndAdd(TICK), pause -> !stopping.get());
    private EntityDescription facts = EntityDescription.of("q", true);
    private final AtomicBoolean foreign;

    private InboxFixture(InboxFixture other, DataSource pool) {
        schema = other.schema;
        dsl = other.dsl;
        dataSource = pool;
        foreign = other.foreign;
    }

    public InboxFixture(TestDatabase database) {
        this(database, database.schemaWith(InboxFixture::tables));
    }

    /** With the tables of some features and no others. */
    static InboxFixture with(TestDatabase database, Feature... features) {
        return new InboxFixture(
                database,
                database.schemaWith(
                        name -> Migrations.sql(new SchemaName(name), features) + ";" + effects(new SchemaName(name))));
    }

    /** With the history of the tables, as the migrations write it. */
    static InboxFixture migrated(TestDatabase database) {
        var inbox = new InboxFixture(database, database.schema());
        Migrations.of(inbox.dataSource, inbox.schema).apply(Feature.all());
        inbox.dsl.execute(effects(inbox.schema));
        return inbox;
    }

    private InboxFixture(TestDatabase database, String schema) {
        foreign = new AtomicBoolean();
        this.schema = new SchemaName(schema);
        dataSource = database.dataSource();
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    /** The statements that make the tables, and one for effects of handlers. */
    static String tables(String name) {
        var schema = new SchemaName(name);
        return Migrations.sql(schema, Feature.all()) + ";" + effects(schema);
    }

    private static String effects(SchemaName schema) {
        return "create table " + schema.table("effect")
                + " (n bigint generated always as identity, session text, id text not null)";
    }

    /** The same tables with a consumer on another pool. */
    public InboxFixture on(DataSource pool) {
        return new InboxFixture(this, pool);
    }

    /** From now on handlers run in transactions of another manager than the consumer. */
    void useForeignTransactions() {
        foreign.set(true);
    }

    DSLContext asConsumer() {
        return DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    void useRealTime() {
        workerClock = new WorkerClock(System::nanoTime, pause -> !stopping.get());
    }

    void entity(EntityDescription facts) {
        this.facts = facts;
    }

    /** Returns when some transaction waits for another one's record in this schema's inbox. */
    void awaitLockWait() {
        await().until(() -> dsl.fetchSingle("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                + " and query like '%" + schema.table("inbox_message") + " %'")
                        .get(0, Integer.class)
                > 0);
    }

    public Verdict effect(DSLContext tx, InboundMessage message) {
        tx.execute(
                "insert into " + schema.table("effect") + " (session, id) values ({0}, {1})",
                DSL.val(message.session().orElse(null)),
                DSL.val(message.id()));
        return Verdict.done();
    }

    public List<String> effects() {
        return dsl.fetch("select id from " + schema.table("effect") + " order by n")
                .getValues(0, String.class);
    }

    public List<String> recorded() {
        return dsl.fetch("select message_id from " + schema.table("inbox_message") + " order by handled_at")
                .getValues(0, String.class);
    }

    public int count(String table) {
        return dsl.fetchCount(DSL.table(schema.table(table)));
    }

    public Turn turn(Receiver receiver, Handler handler) {
        return turn(receiver, handler, settings -> {});
    }

    public Turn turn(Receiver receiver, Handler handler, Consumer<ConsumerOptions> change) {
        var settings = new ConsumerOptions(dataSource);
        settings.schema = schema;
        settings.name = "test";
        settings.sessionIdle = Duration.ZERO;
        settings.firstMessage = Duration.ZERO;
        settings.receiverTimeout = Duration.ZERO;
        settings.retries = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(30));
        if (foreign.get()) {
            settings.boundary = ForeignTransactions.on(dataSource).boundary();
        }
        change.accept(settings);
        var turns = new Turns(settings.settings(new OneReceiver(facts, receiver), handler), workerClock);
        return new Turn(turns, turns.newWork());
    }

    /** A turn and the work it does. */
    public record Turn(Turns parts, InFlightWork work) {
        public int run() {
            try {
                return parts.receivers().run(work);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Runs while somebody prolongs locks and interrupts handlers, as in a consumer. Needs the real time. */
        void runWatched() throws InterruptedException {
            var over = new CountDownLatch(1);
            var untilOver =
                    new WorkerClock(System::nanoTime, pause -> !over.await(pause.toMillis(), TimeUnit.MILLISECONDS));
            var watch = new SupervisedLoop(
                    "watch",
                    new LockWatchdog(List.of(work)),
                    new BackOff(Duration.ofMillis(500), Duration.ofSeconds(1)),
                    untilOver);
            watch.start();
            try {
                run();
            } finally {
                over.countDown();
                watch.join(Duration.ofSeconds(30));
            }
        }

        /** Takes holds that are due until there are none. */
        void runHolds() {
            try {
                while (parts.holds().run(work, () -> {})) {}
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Hands out one receiver, again and again. */
    static MessageSource source(Receiver receiver) {
        return new OneReceiver(EntityDescription.of("q", true), receiver);
    }

    private record OneReceiver(EntityDescription facts, Receiver receiver) implements MessageSource {
        @Override
        public Optional<Receiver> acceptNext() {
            return Optional.of(receiver);
        }

        @Override
        public Optional<Receiver> accept(String session, Duration atMost) {
            return Optional.of(receiver);
        }

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {}
    }
}
