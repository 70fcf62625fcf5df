package dev.waybill.relay.loop;

import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.lease.DestinationTable;
import dev.waybill.relay.lease.Heartbeat;
import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.Places;
import dev.waybill.relay.lease.RelayTable;
import dev.waybill.supervision.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A relay with threads, whose clock runs faster than the database's, and which can die or stand still. */
final class ThreadedRelay {
    /** A transaction is slow after a quarter of a second. */
    private static final int SPEED = 4;

    private static final Duration LEASE = Duration.ofSeconds(2);

    private final StopSignal signal = new StopSignal();
    private final ExecutorService statements = Executors.newSingleThreadExecutor();
    private final LoopUnderTest parts;
    private final Heartbeat heartbeat;
    private final LoopTurn turn;
    private final Thread beating;
    private final Thread turning;
    private volatile boolean over;
    private volatile boolean frozen;

    ThreadedRelay(NewTables tables, Publisher publisher, String... destinations) {
        var lease = new Lease(LEASE, ThreadedRelay::now);
        var progress = new LoopProgress(List.of(destinations), Duration.ofMinutes(1), ThreadedRelay::now);
        var relays = new RelayTable(tables.dsl, tables.schema, "test", true, new Places());
        new DestinationTable(tables.dsl, tables.schema).ensure(List.of(destinations));
        heartbeat = new Heartbeat(relays, lease, progress, ThreadedRelay::now);
        parts = new LoopUnderTest(
                tables,
                tables.dataSource(),
                lease,
                progress,
                ThreadedRelay::now,
                signal::wake,
                new Statements(statements, () -> false, signal::wake),
                LoopUnderTest.senders(publisher, HoldPolicy.HOLD_SESSION, ThreadedRelay::now, destinations));
        turn = new LoopTurn(parts.loop, progress, ThreadedRelay::now, LEASE, () -> {});
        progress.becomeReady();
        heartbeat.beat();
        beating = thread("test-heartbeat", () -> {
            heartbeat.step();
            Thread.sleep(100);
        });
        turning = thread("test-loop", () -> signal.rest(turn.take().dividedBy(SPEED)));
    }

    private static long now() {
        return SPEED * System.nanoTime();
    }

    private interface Step {
        void take() throws InterruptedException;
    }

    private Thread thread(String name, Step step) {
        var thread = new Thread(
                () -> {
                    try {
                        while (!over) {
                            if (frozen) {
                                Thread.sleep(1);
                            } else {
                                step.take();
                            }
                        }
                    } catch (InterruptedException e) {
                        // The end of the test.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    void frozen(boolean now) {
        frozen = now;
    }

    /** Settles and gives up what it owns. */
    void stop() {
        end();
        turn.leave(Duration.ofSeconds(5));
        heartbeat.stop(Duration.ZERO);
        statements.execute(parts.connection::close);
        statements.shutdown();
    }

    /** Nothing is settled; its lease runs out by itself. */
    void die() {
        end();
        statements.execute(parts.connection::abandon);
        statements.shutdown();
    }

    private void end() {
        frozen = false;
        over = true;
        signal.wake();
        try {
            turning.join(30_000);
            beating.join(30_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
