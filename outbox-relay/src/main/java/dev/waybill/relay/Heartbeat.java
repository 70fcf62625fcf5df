package dev.waybill.relay;

import dev.waybill.relay.RelayBeats.LoopReport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says regularly in the database that the relay is alive and which of its loops move. Not thread-safe. */
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final RelayBeats beats;
    private final List<Liveness> loops;
    private final Duration leaseDuration;
    private final LongSupplier nanoTime;
    private final Runnable onChange;
    private Set<String> serving = Set.of();
    private boolean failing;

    /**
     * A heart that has not beaten.
     *
     * @param leaseDuration how long the database grants; trusted here for three quarters of it
     * @param onChange told when other loops are served than before
     */
    Heartbeat(
            RelayBeats beats, List<Liveness> loops, Duration leaseDuration, LongSupplier nanoTime, Runnable onChange) {
        this.beats = beats;
        this.loops = List.copyOf(loops);
        this.leaseDuration = leaseDuration;
        this.nanoTime = nanoTime;
        this.onChange = onChange;
    }

    /** Beats once; a failure is told and waited out, never thrown. */
    Duration step() {
        try {
            beat();
            if (failing) {
                LOG.info("The heartbeat is back");
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("The heartbeat failed; lanes whose lease runs out stand still until it succeeds", e);
            }
            failing = true;
        }
        return leaseDuration.dividedBy(failing ? 10 : 3);
    }

    /**
     * Beats once.
     *
     * @throws RuntimeException if the database fails
     */
    void beat() {
        List<LoopReport> reports = loops.stream().map(Liveness::report).toList();
        long askedAt = nanoTime.getAsLong();
        beats.beat(leaseDuration, reports);
        Set<String> moving = reports.stream()
                .filter(LoopReport::moves)
                .map(LoopReport::destination)
                .collect(Collectors.toSet());
        loops.stream()
                .filter(loop -> moving.contains(loop.destination()))
                .forEach(loop -> loop.trustUntil(askedAt + leaseDuration.toNanos() / 4 * 3));
        if (!moving.equals(serving)) {
            tellChange(moving);
            beats.announce();
            onChange.run();
        }
        serving = moving;
    }

    private void tellChange(Set<String> moving) {
        for (String destination : serving) {
            if (!moving.contains(destination)) {
                LOG.warn("The loop of '{}' does not move; other relays may take its lanes", destination);
            }
        }
    }
}
