package dev.waybill.relay;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a destination's turns one after the other and says how long to rest between them. */
final class DestinationLoop {
    private static final Logger LOG = LoggerFactory.getLogger(DestinationLoop.class);

    private final Outlet outlet;
    private final DestinationTurn turn;
    private final Tide tide;
    private final Pace pace;
    private final DestinationAlarm alarm;

    DestinationLoop(Outlet outlet, DestinationTurn turn, Tide tide, Pace pace, DestinationAlarm alarm) {
        this.outlet = outlet;
        this.turn = turn;
        this.tide = tide;
        this.pace = pace;
        this.alarm = alarm;
    }

    /** One step; a failure of any kind is told and waited out, never thrown. */
    Duration step() {
        try {
            Duration spared = outlet.breaker().rest();
            if (!spared.isZero()) {
                return spared;
            }
            if (pace.mayLookOnly() && !tide.isHigh()) {
                return pace.afterIdle();
            }
            TurnOutcome outcome = turn.run();
            alarm.tell(outlet.breaker().refusal(), outcome.published() > 0);
            return rest(outcome);
        } catch (HistoryChangedException e) {
            LOG.error("'{}' stands still: {}", outlet.destination(), e.getMessage());
            return pace.afterFailure();
        } catch (RuntimeException e) {
            LOG.warn(
                    "A turn of '{}' failed in the database; it is taken again from the recorded positions",
                    outlet.destination(),
                    e);
            return pace.afterFailure();
        }
    }

    private Duration rest(TurnOutcome outcome) {
        if (outcome.failure() != null) {
            LOG.warn(
                    "Not all messages to '{}' were accepted; they are sent again",
                    outlet.destination(),
                    outcome.failure());
            return longer(pace.afterFailure(), outlet.breaker().rest());
        }
        return outcome.moved() ? pace.afterWork() : pace.afterIdle();
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
