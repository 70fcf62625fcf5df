package dev.waybill.relay;

import dev.waybill.relay.RelayBeats.LoopReport;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says regularly in the database that the relay is alive and which of its loops move. Not thread-safe. */
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    /** States of loops that stand still and have said so themselves. */
    private static final Set<String> TOLD = Set.of("failing", "history", Liveness.NOT_AT_WORK);

    private final RelayBeats beats;
    private final List<Liveness> loops;
    private final Trouble beside;
    private final Duration leaseDuration;
    private final LongSupplier nanoTime;
    private final Runnable onChange;
    private Set<String> serving = Set.of();
    private final Set<String> hanging = new HashSet<>();
    private final Fault fault = new Fault(LOG, System::nanoTime);

    /**
     * A heart that has not beaten.
     *
     * @param beside trouble that is none of a loop
     * @param leaseDuration how long the database grants; trusted here for three quarters of it
     * @param onChange told when other loops are served than before
     */
    Heartbeat(
            RelayBeats beats,
            List<Liveness> loops,
            Trouble beside,
            Duration leaseDuration,
            LongSupplier nanoTime,
            Runnable onChange) {
        this.beats = beats;
        this.loops = List.copyOf(loops);
        this.beside = beside;
        this.leaseDuration = leaseDuration;
        this.nanoTime = nanoTime;
        this.onChange = onChange;
    }

    /** The failures of its beats. */
    Fault fault() {
        return fault;
    }

    /** Beats once; a failure is told and waited out, never thrown. */
    Duration step() {
        try {
            beat();
            fault.over("The heartbeat is back");
            return leaseDuration.dividedBy(3);
        } catch (RuntimeException e) {
            fault.met("The heartbeat failed; lanes whose lease runs out stand still until it succeeds", e);
            return leaseDuration.dividedBy(10);
        }
    }

    /**
     * Beats once.
     *
     * @throws RuntimeException if the database fails
     */
    void beat() {
        List<LoopReport> reports = loops.stream().map(Liveness::report).toList();
        long askedAt = nanoTime.getAsLong();
        beats.beat(
                leaseDuration,
                Stream.concat(reports.stream(), beside.report().stream()).toList());
        Set<String> moving = reports.stream()
                .filter(LoopReport::moves)
                .map(LoopReport::destination)
                .collect(Collectors.toSet());
        loops.stream()
                .filter(loop -> moving.contains(loop.destination()))
                .forEach(loop -> loop.trustUntil(askedAt + leaseDuration.toNanos() / 4 * 3));
        if (!moving.equals(serving)) {
            tellChange(reports);
            beats.announce();
            onChange.run();
        }
        serving = moving;
    }

    private void tellChange(List<LoopReport> reports) {
        reports.stream()
                .filter(LoopReport::moves)
                .map(LoopReport::destination)
                .filter(destination -> hanging.remove(destination))
                .forEach(destination -> LOG.info("The loop of '{}' moves again", destination));
        reports.stream()
                .filter(report -> !report.moves() && serving.contains(report.destination()))
                .filter(report -> !TOLD.contains(report.state()))
                .map(LoopReport::destination)
                .forEach(destination -> {
                    hanging.add(destination);
                    LOG.warn("The loop of '{}' does not move; other relays may take its lanes", destination);
                });
    }
}
