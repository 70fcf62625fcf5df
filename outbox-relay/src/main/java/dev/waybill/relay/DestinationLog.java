package dev.waybill.relay;

import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import dev.waybill.supervision.Tally;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the lines of a destination's loop in the log: one for each fault and for its end, and numbers of what happens often. It
 * is asked after every step, so what it says is made ready before. Confined to the loop's thread.
 */
final class DestinationLog {
    private static final Logger LOG = LoggerFactory.getLogger(DestinationLoop.class);

    /** A broker that throttles takes some batches and refuses others. */
    private static final Duration CALM = Duration.ofSeconds(3);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final String destination;
    private final String relief;
    private final String sendsRelief;
    private final String heldLine;
    private final String heldSentLine;
    private final Fault database = new Fault(LOG, System::nanoTime);
    private final Fault history = Fault.severe(LOG, System::nanoTime);
    private final Fault sends = Fault.over(CALM, LOG, System::nanoTime);
    private final Tally held = new Tally(LOG, true, INTERVAL, System::nanoTime);
    private final Tally heldSent = new Tally(LOG, false, INTERVAL, System::nanoTime);

    private String lastRefused = "";

    DestinationLog(String destination) {
        this.destination = destination;
        relief = "'" + destination + "' goes on from the recorded positions";
        sendsRelief = "'" + destination + "' accepts all messages again";
        heldLine = "'" + destination + "': {} messages were put on hold";
        heldSentLine = "'" + destination + "': {} messages that were on hold are sent";
    }

    Fault database() {
        return database;
    }

    void failed(Throwable failure) {
        if (failure instanceof HistoryChangedException) {
            history.met("'" + destination + "' stands still", String.valueOf(failure.getMessage()));
        } else {
            database.met("A step of '" + destination + "' failed; it goes on from the recorded positions", failure);
        }
    }

    void goesOn() {
        database.over(relief);
        history.over(relief);
    }

    /**
     * After a turn.
     *
     * @param failure why not everything was accepted; null if everything was
     */
    void sent(@Nullable Throwable failure, Breaker breaker) {
        if (failure != null && breaker.refusal() == null) {
            sends.met("Not all messages to '" + destination + "' were accepted; they are sent again", failure);
        } else if (failure == null && breaker.trouble() == null) {
            sends.over(sendsRelief);
        }
    }

    /** After a stop that has left so many lanes as they were. */
    void left(int lanes) {
        if (lanes > 0) {
            LOG.warn(
                    "'{}': {} buckets are not settled; others take them when the lease has run out, and repeat what was on"
                            + " its way",
                    destination,
                    lanes);
        }
    }

    /** The lanes could not be given back at a stop. */
    void notLeft(RuntimeException failure) {
        LOG.warn(
                "The lanes of '{}' could not be given back; others take over when the lease has run out: {}",
                destination,
                RootCause.of(failure));
        LOG.debug("The lanes of '{}' could not be given back", destination, failure);
    }

    /** After a turn that has put so many messages on hold, and has sent so many that were. */
    void holds(int begun, int ended, @Nullable Throwable refusal) {
        if (refusal != null && begun > 0) {
            lastRefused = "; last refused: " + RootCause.of(refusal);
        }
        held.add(begun, heldLine, lastRefused);
        heldSent.add(ended, heldSentLine, "");
    }
}
