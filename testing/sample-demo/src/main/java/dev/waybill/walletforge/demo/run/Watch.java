package dev.waybill.walletforge.demo.run;

import dev.waybill.walletforge.demo.input.PaymentInput;
import dev.waybill.walletforge.demo.intake.IntakeRun;
import dev.waybill.walletforge.demo.relay.RelayHost;
import dev.waybill.walletforge.demo.screen.Progress;
import dev.waybill.walletforge.demo.screen.Screen;
import dev.waybill.walletforge.demo.servicebus.Bus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;

/** Follows a run until all payments are in the ledger, or nothing has moved for long. */
final class Watch {
    private static final long INTERVAL_MILLIS = 100;

    private final PaymentInput input;
    private final IntakeRun intake;
    private final Bus bus;
    private final RelayHost relay;
    private final LedgerCount ledger;

    Watch(PaymentInput input, IntakeRun intake, Bus bus, RelayHost relay, LedgerCount ledger) {
        this.input = input;
        this.intake = intake;
        this.bus = bus;
        this.relay = relay;
        this.ledger = ledger;
    }

    /** Returns when there is nothing more to expect; whether that is all there should be is the checker's question. */
    void follow(Screen screen, Queue<String> events, Duration patience) throws SQLException, InterruptedException {
        long movedAt = System.nanoTime();
        Moved before = null;
        while (System.nanoTime() - movedAt < patience.toNanos()) {
            relay.check();
            Progress progress = progress();
            show(screen, events);
            screen.progress(progress);
            if (isOver(progress)) {
                return;
            }
            var now = new Moved(progress, bus.delivered());
            if (!now.equals(before) || relay.waitsForPerson()) {
                before = now;
                movedAt = System.nanoTime();
            }
            Thread.sleep(INTERVAL_MILLIS);
        }
        screen.event("nothing has moved for " + patience.toSeconds() + " s: the run is judged as it stands");
    }

    private Progress progress() throws SQLException {
        return new Progress(input.lines().size(), intake.taken(), bus.published(), ledger.applied(), relay.restarts());
    }

    /** Shows what has happened since. */
    void show(Screen screen, Queue<String> events) {
        for (String event = events.poll(); event != null; event = events.poll()) {
            screen.event(event);
        }
    }

    private boolean isOver(Progress progress) throws SQLException {
        if (!intake.isDone()) {
            return false;
        }
        intake.join();
        return relay.isSettled()
                && progress.applied() >= input.transactions()
                && bus.isDrained()
                && ledger.distinct() >= input.transactions();
    }

    private record Moved(Progress progress, long delivered) {}
}
