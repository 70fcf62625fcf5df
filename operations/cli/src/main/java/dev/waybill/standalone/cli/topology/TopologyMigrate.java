package dev.waybill.standalone.cli.topology;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.ChangeOptions;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.database.InstalledTables;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.Migration;
import dev.waybill.standalone.topology.Migration.Orders;
import dev.waybill.standalone.topology.Move;
import dev.waybill.standalone.topology.RemainingMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "migrate",
        description = {
            "Moves a destination to a new entity, for a setting that is fixed at creation: makes the new one as declared, stops"
                    + " the relays, waits until consumers have emptied the old one, and lets the relays go on to the new one.",
            "Run it again if it was killed. Deletes nothing. Exit code 20 if something stands in the way or does not drain."
        })
final class TopologyMigrate extends CliCommand {
    @Parameters(paramLabel = "DESTINATION", description = "The destination, as the outbox calls it.")
    @SuppressWarnings("NullAway.Init")
    private String destination;

    @Option(
            names = "--to",
            paramLabel = "ENTITY",
            description = "The path of the new entity (the old one with -2, or the next number that is free).")
    private @Nullable String to;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "The namespace, if databases have the destination in several.")
    private @Nullable String namespace;

    @Option(
            names = "--leave",
            split = ",",
            paramLabel = "KIND",
            description = "Messages that may stay in the old entity: scheduled, deferred, dead-letters,"
                    + " transfer-dead-letters, active. May be repeated.")
    private List<String> leave = new ArrayList<>();

    @Option(
            names = "--drain-timeout",
            paramLabel = "DURATION",
            converter = ArgumentConverters.PositiveDuration.class,
            description =
                    "How long nothing may be sent at most, as in 90s or 10m; then messages go to the old entity again"
                            + " (5m).")
    private Duration drainTimeout = Duration.ofMinutes(5);

    @Option(names = "--abort", description = "Give up a migration that has not switched yet.")
    private boolean abort;

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    private final Map<DatabaseSettings, HikariDataSource> pools = new HashMap<>();

    @Override
    public Integer call() {
        change.requireReason();
        Optional.ofNullable(to).ifPresent(path -> DestinationSettings.Place.requirePath("--to", path));
        Set<RemainingMessages.Kind> left = left();
        Configuration configuration = configuration();
        var report = new MigrationReport(output(), destination, change.instruction());
        try {
            var search = new Move.Search(configuration, this::pool);
            NamespaceSettings place = search.namespace(destination, Optional.ofNullable(namespace));
            var bus = new Bus(place);
            Entities entities = bus.entities();
            Declaration declared =
                    TopologyCommands.declarations(configuration, place.name()).get(0);
            Move move = search.of(
                    destination,
                    Optional.ofNullable(namespace),
                    Optional.ofNullable(to),
                    entity -> Migration.free(entity, path -> isFree(path, entity, place, declared, entities)));
            var orders = new Orders(left, drainTimeout, configuration.relay().leaseDuration(), change.instruction());
            var parts = new Migration.Bus(declared, entities, bus.writer(), bus.contents(entities));
            int code = abort
                    ? abort(move, report)
                    : migrate(new Migration(move, orders, parts, report, System::nanoTime), move, report);
            return entities.isAnswering() ? code : ExitCode.UNREACHABLE;
        } finally {
            pools.values().forEach(HikariDataSource::close);
        }
    }

    private HikariDataSource pool(DatabaseSettings database) {
        HikariDataSource known = pools.get(database);
        if (known != null) {
            return known;
        }
        HikariDataSource pool = Pools.connected(database);
        pools.put(database, pool);
        InstalledTables.require(pool, database.schema());
        return pool;
    }

    private Set<RemainingMessages.Kind> left() {
        Set<RemainingMessages.Kind> kinds = EnumSet.noneOf(RemainingMessages.Kind.class);
        for (String name : leave) {
            kinds.add(EnumSet.allOf(RemainingMessages.Kind.class).stream()
                    .filter(kind -> kind.label().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--leave: '" + name
                            + "' is none of active, scheduled, deferred, dead-letters, transfer-dead-letters")));
        }
        return kinds;
    }

    // The unused entity of an earlier attempt counts as free.
    private static boolean isFree(
            String path, DestinationSettings entity, NamespaceSettings place, Declaration declared, Entities entities) {
        return !declared.has(path) && Migration.isFree(entity.at(path), entities, place);
    }

    private int abort(Move move, MigrationReport report) {
        if (move.isHalfDone()) {
            report.say("Some outboxes send to " + move.to() + " already: run it again to complete the migration");
            return report.end("half done", false, ExitCode.ERRORS);
        }
        boolean any = false;
        for (Move.Side side : move.left()) {
            any |= side.isMoving() && (change.isDryRun() || side.moves().abort());
        }
        if (!any) {
            report.say("No migration of '" + destination + "' is under way");
            return report.end("none", false, ExitCode.NOT_FOUND);
        }
        report.givenUp(move, change.isDryRun());
        return report.end("aborted", !change.isDryRun(), ExitCode.OK);
    }

    private int migrate(Migration migration, Move move, MigrationReport report) {
        if (move.isDone()) {
            report.say(move.to() + " is in force: set destination." + destination
                    + ".entity to it in every configuration");
            return report.end("done", false, ExitCode.OK);
        }
        boolean begun = move.isHalfDone() || move.sides().stream().anyMatch(Move.Side::isMoving);
        if (to == null && !begun && !migration.isNeeded()) {
            report.say("Nothing of " + move.from() + " that is fixed at creation differs from its declaration. Name an"
                    + " entity with --to to move all the same.");
            return report.end("not needed", false, ExitCode.OK);
        }
        RemainingMessages old = migration.leftovers();
        List<String> obstacles = migration.obstacles(old);
        report.plan(move, old);
        report.notTakenOver(move, migration.notTakenOver());
        obstacles.forEach(obstacle -> report.say("! " + obstacle));
        if (!obstacles.isEmpty()) {
            return report.end("refused", false, ExitCode.ERRORS);
        }
        List<ConsumerSettings> consumers = configuration().consumers();
        if (change.isDryRun()) {
            report.after(move, consumers);
            return report.end("dry run", false, ExitCode.WARNINGS);
        }
        change.confirm("No message of '" + destination + "' is sent until " + move.from() + " is empty", destination);
        return report.ended(migration.run(), move, consumers);
    }
}
