package dev.waybill.standalone.cli;

import dev.waybill.relay.Destinations;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.command.Progress;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.database.KnownDestinations;
import dev.waybill.standalone.database.StatusReader;
import dev.waybill.standalone.replay.Failover;
import dev.waybill.standalone.replay.Failover.Extent;
import dev.waybill.standalone.replay.ReplayStart;
import dev.waybill.standalone.servicebus.Router;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "failover",
        description =
                "Sends to a new namespace what the lost one had accepted. The messages that the outbox retains go back into"
                        + " it, before all that waits there. --dry-run tells which and from when on; --canary tries the new namespace;"
                        + " without them destinations are paused, their messages moved, and the destinations resumed. Repeat it after"
                        + " an interruption: it goes on.")
final class FailoverCommand extends MutatingCommand {
    private static final int MOST_CANARIES = 1_000;

    @Parameters(paramLabel = "DESTINATION", arity = "0..*", description = "The destinations; all unless given.")
    private List<String> chosen = new ArrayList<>();

    @Option(
            names = "--since",
            converter = ArgumentConverters.PastTime.class,
            paramLabel = "TIME",
            description = "Published then or later: 2026-03-01, 2026-03-01 06:00, or 2h for two hours ago. All that is"
                    + " retained unless given: an inbox drops what it has handled.")
    private @Nullable Instant since;

    @Option(
            names = "--canary",
            converter = ArgumentConverters.PositiveInt.class,
            paramLabel = "N",
            description =
                    "Sends the first N messages of each destination from here, and changes nothing in the database.")
    private @Nullable Integer canary;

    @Override
    protected void checkArguments() {
        if (canary != null && canary > MOST_CANARIES) {
            throw new IllegalArgumentException("--canary takes 1 to " + MOST_CANARIES + " messages");
        }
    }

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) throws Exception {
        chosen.forEach(destination -> KnownDestinations.require(destination, settings, pool));
        var failover = Failover.of(pool, settings.schema());
        var extents = new LinkedHashMap<String, Extent>();
        (chosen.isEmpty() ? all(settings, pool) : chosen)
                .forEach(name -> extents.put(name, failover.extent(name, from())));
        extents.forEach(FailoverCommand::requireSequence);
        Instant now = new ReplayStart(pool, settings.schema()).now();
        new FailoverMemory(configuration(), now).check(extents);
        if (canary != null && !isDryRun()) {
            return sendCanaries(settings, failover, extents, canary);
        }
        var orders = Destinations.of(pool, settings.schema());
        if (isDryRun()) {
            print(extents, orders);
            extents.entrySet().removeIf(each -> isCompleted(failover, each.getKey(), each.getValue()));
            tellNext(extents, orders);
            return ExitCode.OK;
        }
        List<String> names = List.copyOf(extents.keySet());
        extents.values().removeIf(extent -> extent.again() == 0);
        long again = extents.values().stream().mapToLong(Extent::again).sum();
        if (again > 0) {
            confirmMany("messages of " + String.join(", ", extents.keySet()) + " are sent again", again);
        }
        var move = new FailoverMove(failover, orders, instruction(), from());
        awaitSends(move.pause(extents.keySet(), now, configuration().relay().sendDeadline()));
        boolean complete = move.run(extents, new Progress("messages", again, !output().isJson()));
        move.resume(names).forEach(this::warn);
        output().table(move.rows(), "Nothing is sent again.");
        if (again > 0) {
            output().note("# When BACKLOG in 'status' is empty, 'failover --dry-run' says whether all was accepted");
        }
        return complete ? ExitCode.OK : ExitCode.WARNINGS;
    }

    // What is accepted late would pass what comes back before it.
    private void awaitSends(Duration inFlight) throws InterruptedException {
        if (inFlight.compareTo(Duration.ZERO) > 0) {
            warn("Sends that began before the pause may take relay.send-deadline: waiting "
                    + (inFlight.toMillis() + 999) / 1_000 + " s");
            Thread.sleep(inFlight.toMillis());
        }
    }

    // Relays inside applications serve destinations that this configuration may not have.
    private Set<String> all(DatabaseSettings settings, DataSource pool) {
        var all = new TreeSet<>(new StatusReader(settings.name(), pool, settings.schema()).destinationNames());
        configuration().destinations(settings).forEach(destination -> all.add(destination.name()));
        return all;
    }

    private Optional<Instant> from() {
        return Optional.ofNullable(since);
    }

    private static void requireSequence(String destination, Extent extent) {
        if (extent.sequenceReset()) {
            throw new IllegalStateException("The sequence outbox_seq is behind what '" + destination
                    + "' has published: the database was moved without its sequences, and what waits would come first."
                    + " 'waybill-relay replay start " + destination + "' sends copies, behind all that waits");
        }
    }

    private void print(Map<String, Extent> extents, Destinations orders) {
        var rows = new ArrayList<Map<String, Object>>();
        extents.forEach((destination, extent) -> rows.add(Output.row(
                "destination", destination,
                "sentAgain", extent.again(),
                "sessions", extent.sessions(),
                "publishedFrom", extent.ages().oldest().map(Instant::toString).orElse(""),
                "publishedUntil", extent.ages().newest().map(Instant::toString).orElse(""),
                "held", extent.exceptions().held(),
                "bodilessStay", extent.exceptions().bodiless(),
                "expiredStay", extent.exceptions().expired(),
                "paused", orders.pauseOf(destination).isPresent())));
        output().table(rows, "There are no destinations.");
    }

    private boolean isCompleted(Failover failover, String destination, Extent extent) {
        Optional<Failover.Last> last = failover.completed(destination, extent);
        long held = extent.exceptions().held();
        last.ifPresent(done -> output().say("# '" + destination + "': all of it was accepted after the failover of "
                + done.at() + " by " + done.operator() + " (" + done.reason() + "); another one sends it once more"
                + (held == 0
                        ? ""
                        : ". Its sessions have " + held + " held messages since: waybill-relay outbox list")));
        return last.isPresent();
    }

    private void tellNext(Map<String, Extent> extents, Destinations orders) {
        List<String> running = extents.keySet().stream()
                .filter(destination -> orders.pauseOf(destination).isEmpty())
                .toList();
        if (!running.isEmpty()) {
            warn(
                    "Pause first, before the name of the namespace leads to the new one, or what waits is sent before what was"
                            + " lost: waybill-relay relay pause " + running.get(0) + " --reason TEXT");
        }
        for (DestinationSettings destination : configuration().destinations()) {
            if (extents.containsKey(destination.name())
                    && !destination.sending().retains()) {
                warn("'" + destination.name() + "' retains nothing (destination." + destination.name()
                        + ".retain): what the lost namespace had accepted of it cannot be sent again");
            } else if (extents.containsKey(destination.name()) && since == null) {
                output().say("# '" + destination.name() + "': all that is retained, for "
                        + Times.text(destination.sending().retain())
                        + "; --since shortens it to what was published after the last moment that was surely handled");
            }
        }
    }

    private int sendCanaries(DatabaseSettings settings, Failover failover, Map<String, Extent> extents, int most)
            throws Exception {
        var rows = new ArrayList<Map<String, Object>>();
        boolean allWell = true;
        try (Router router = Router.of(configuration(), settings)) {
            for (String destination : extents.keySet()) {
                List<OutboxRow> first = failover.first(destination, from(), most);
                PublishResult result = first.isEmpty()
                        ? PublishResult.accepted(0)
                        : router.publish(new Publisher.Shipment(
                                        destination, first, () -> true, failover.entity(destination)))
                                .toCompletableFuture()
                                .get();
                allWell &= result.failure() == null;
                rows.add(Output.row(
                        "destination",
                        destination,
                        "sent",
                        first.size(),
                        "accepted",
                        result.accepted(),
                        "failure",
                        result.failure() == null ? "" : Failures.text(result.failure(), settings)));
            }
        }
        output().table(rows, "There are no destinations.");
        return allWell ? ExitCode.OK : ExitCode.UNREACHABLE;
    }
}
