package dev.waybill.standalone.cli;

import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.command.Progress;
import dev.waybill.standalone.replay.Failover;
import dev.waybill.standalone.replay.Failover.Extent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves what destinations retain back into the outbox. They stay paused if it ends in between: what waits must not pass what is still
 * to come back. Not thread-safe.
 */
final class FailoverMove {
    private final Failover failover;
    private final Destinations destinations;
    private final AuditContext instruction;
    private final Optional<Instant> since;
    private final Map<String, Long> moved = new LinkedHashMap<>();
    private final Map<String, Long> left = new LinkedHashMap<>();

    FailoverMove(Failover failover, Destinations destinations, AuditContext instruction, Optional<Instant> since) {
        this.failover = failover;
        this.destinations = destinations;
        this.instruction = instruction;
        this.since = since;
    }

    /** Pauses the destinations that are not; returns how long their sends may still be in flight, at most {@code longest}. */
    Duration pause(Iterable<String> names, Instant now, Duration longest) {
        Duration inFlight = Duration.ZERO;
        for (String name : names) {
            destinations.pauseUnlessPaused(name, instruction);
            Duration paused =
                    Duration.between(destinations.pauseOf(name).orElseThrow().since(), now);
            Duration left = longest.minus(paused.isNegative() ? Duration.ZERO : paused);
            inFlight = left.compareTo(inFlight) > 0 ? left : inFlight;
        }
        return inFlight;
    }

    /** Whether all came back. */
    boolean run(Map<String, Extent> extents, Progress progress) {
        extents.forEach((destination, extent) -> failover.begin(destination, extent, instruction));
        extents.keySet().forEach(destination -> move(destination, progress));
        progress.end();
        return left.isEmpty();
    }

    // A relay may retain messages while the first pass runs: those that were on their way when the destination was
    // paused.
    private void move(String destination, Progress progress) {
        long before;
        do {
            before = moved.getOrDefault(destination, 0L);
            Failover.Run pass = failover.run(destination, since);
            while (!pass.isDone()) {
                moved.merge(destination, (long) pass.step(), Long::sum);
                progress.show(moved.values().stream().mapToLong(Long::longValue).sum());
            }
        } while (moved.getOrDefault(destination, 0L) > before);
        long again = failover.extent(destination, since).again();
        if (again > 0) {
            left.put(destination, again);
        }
    }

    /** Ends the pauses for this reason. Returns what an operator should know about the others. */
    List<String> resume(Iterable<String> names) {
        var words = new ArrayList<String>();
        for (String name : names) {
            destinations.pauseOf(name).ifPresent(pause -> {
                if (left.containsKey(name)) {
                    words.add(left.get(name) + " messages of '" + name
                            + "' did not come back: they are to be erased, or others"
                            + " wait under their sequence values. 'waybill-relay replay start " + name
                            + "' sends copies; then resume it");
                } else if (pause.reason().equals(instruction.reason())) {
                    destinations.resume(name, instruction);
                } else if (moved.containsKey(name)) {
                    words.add("'" + name + "' stays paused, as " + pause.operator() + " said: " + pause.reason());
                }
            });
        }
        return words;
    }

    List<Map<String, Object>> rows() {
        var rows = new ArrayList<Map<String, Object>>();
        moved.forEach((destination, count) -> rows.add(Output.row(
                "destination",
                destination,
                "sentAgain",
                count,
                "left",
                left.getOrDefault(destination, 0L),
                "paused",
                destinations.pauseOf(destination).isPresent())));
        return rows;
    }
}
