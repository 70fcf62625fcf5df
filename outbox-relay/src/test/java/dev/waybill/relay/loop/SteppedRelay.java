package dev.waybill.relay.loop;

import static org.awaitility.Awaitility.await;

import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.lease.HandClock;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.OneRelay;
import dev.waybill.relay.read.Floors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A relay without threads: the test takes its turns, or single steps of them, and moves its clock. */
final class SteppedRelay implements AutoCloseable {
    static final Memory MUCH = new Memory(5_000, 64L << 20);

    final OneRelay relay;
    final HandClock clock;
    final LoopConnection connection;
    final Reading reading;
    final Sending sending;
    final Settling settling;
    final Refusals refusals;
    final RelayLoop loop;
    private final AtomicInteger results = new AtomicInteger();
    private final NewTables tables;
    private final Map<String, Destination> served;

    SteppedRelay(NewTables tables, Publisher publisher, String... destinations) {
        this(tables, publisher, Runnable::run, destinations);
    }

    SteppedRelay(NewTables tables, Publisher publisher, Executor statements, String... destinations) {
        this(tables, tables.dataSource(), publisher, HoldPolicy.HOLD_SESSION, statements, destinations);
    }

    SteppedRelay(
            NewTables tables, DataSource dataSource, Publisher publisher, HoldPolicy policy, String... destinations) {
        this(tables, dataSource, publisher, policy, Runnable::run, destinations);
    }

    private SteppedRelay(
            NewTables tables,
            DataSource dataSource,
            Publisher publisher,
            HoldPolicy policy,
            Executor statements,
            String... destinations) {
        this.tables = tables;
        relay = new OneRelay(tables, destinations);
        clock = relay.clock;
        var parts = new LoopUnderTest(
                tables,
                dataSource,
                relay.lease,
                relay.progress,
                clock,
                results::incrementAndGet,
                new Statements(statements, () -> false, () -> {}),
                LoopUnderTest.senders(publisher, policy, clock, destinations));
        connection = parts.connection;
        reading = parts.reading;
        sending = parts.sending;
        settling = parts.settling;
        refusals = parts.refusals;
        loop = parts.loop;
        served = parts.served;
    }

    /** Takes turns until the relay owns all its destinations. */
    SteppedRelay own() {
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            clock.advance(Duration.ofMillis(600));
            loop.turn();
            return loop.ownedNames().size() == served.size();
        });
        return this;
    }

    /** A whole turn, in which everything is due. */
    Duration turn() {
        clock.advance(Duration.ofMillis(120));
        loop.wake();
        return loop.turn();
    }

    void turns(int count) {
        for (int i = 0; i < count; i++) {
            turn();
        }
    }

    /** How many results have come back since the last call. */
    int sentBack() {
        return results.getAndSet(0);
    }

    Destination destination(String name) {
        return Objects.requireNonNull(served.get(name));
    }

    List<Destination> owned() {
        return Ownership.owned(served.values());
    }

    Floors floors() {
        return reading.floors();
    }

    /** One read of these destinations, and of all if none is named. */
    Reading.Found read(Memory part, String... names) {
        List<Destination> due = names.length == 0
                ? owned()
                : List.of(names).stream().map(this::destination).toList();
        Reading.Found found = readOnce(part, due);
        return found.isRepeated() ? readOnce(part, due) : found;
    }

    private Reading.Found readOnce(Memory part, List<Destination> due) {
        Reading.Question question = reading.ask(relay.id(), due, part);
        return reading.accept(question, reading.fetch(question).result(), owned());
    }

    /** Leaves a mark at what the last read has seen. */
    void mark() {
        floors().mark(reading.lastValue(), tables.one(Long.class, "select pg_current_xact_id()::text::bigint"));
    }

    /** Sends what waits, takes back what has come back, and settles it. */
    void sendAndSettle() {
        sending.send(owned(), true);
        settle();
    }

    void settle() {
        sending.collect();
        clock.advance(Duration.ofMillis(120));
        settling.settle(owned(), reading.lastValue(), true);
        settling.hold(owned());
    }

    /** As if the process had ended at this moment: its lease runs out. */
    void die() {
        tables.execute("update $.relay set alive_until = clock_timestamp() - interval '1 second' where id = '"
                + relay.id() + "'");
        close();
    }

    @Override
    public void close() {
        connection.close();
    }
}
