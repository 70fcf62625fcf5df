package dev.waybill.relay;

import dev.waybill.relay.RelayBeats.LoopReport;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Work of a relay for no destination that fails, for the signs of life to tell: nothing else of it is seen in the database.
 * Thread-safe.
 */
final class Trouble {
    private final LongSupplier nanoTime;
    private final Runnable onChange;
    private String why = "";
    private long since;

    /** @param onChange told when there is trouble, and when it is over */
    Trouble(LongSupplier nanoTime, Runnable onChange) {
        this.nanoTime = nanoTime;
        this.onChange = onChange;
    }

    void met(String newWhy) {
        if (set(newWhy)) {
            onChange.run();
        }
    }

    void over() {
        if (set("")) {
            onChange.run();
        }
    }

    private synchronized boolean set(String newWhy) {
        boolean news = why.isEmpty() != newWhy.isEmpty();
        if (news) {
            since = nanoTime.getAsLong();
        }
        why = newWhy;
        return news;
    }

    /** The report for the heartbeat, if there is trouble. */
    synchronized Optional<LoopReport> report() {
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of(new LoopReport(
                        LoopReport.OF_NONE, false, "failing", Duration.ofNanos(nanoTime.getAsLong() - since), why));
    }
}
