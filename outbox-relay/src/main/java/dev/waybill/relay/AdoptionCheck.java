package dev.waybill.relay;

import java.time.Duration;

/**
 * Whether lanes of a destination may be taken over: their recorded cursors must fit the database. The cursors of all
 * destinations are compared if no loop of the relay has done so a moment ago, for one that is seldom written to shows less.
 * Compared by each loop, they would take a relay with hundreds of destinations longer to start than everything else. Confined
 * to the loop's thread.
 */
final class AdoptionCheck {
    /** Between two comparisons with the cursors of all destinations. */
    static final Duration WHOLE = Duration.ofSeconds(1);

    private final OutboxHistory history;
    private final String destination;
    private final RateLimit wholeChecks;

    /** @param wholeChecks shared by the loops of a relay */
    AdoptionCheck(OutboxHistory history, String destination, RateLimit wholeChecks) {
        this.history = history;
        this.destination = destination;
        this.wholeChecks = wholeChecks;
    }

    /** @throws HistoryChangedException if a cursor does not fit, or did not when a relay looked */
    void require() {
        if (wholeChecks.tryPass()) {
            requireAll();
        } else {
            history.require(destination);
        }
    }

    private void requireAll() {
        try {
            history.require();
        } catch (HistoryChangedException e) {
            // The others see that it is recorded, as long as they try again.
            throw e;
        } catch (RuntimeException | Error e) {
            wholeChecks.giveBack();
            throw e;
        }
    }
}
