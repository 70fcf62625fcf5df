package dev.waybill.standalone.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.log.AuditLog;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.topology.AzureCommands;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.Done;
import dev.waybill.standalone.topology.Leftovers;
import dev.waybill.standalone.topology.Migration;
import dev.waybill.standalone.topology.Migration.Ending;
import dev.waybill.standalone.topology.Migration.Orders;
import dev.waybill.standalone.topology.Migration.Progress;
import dev.waybill.standalone.topology.Migration.Step;
import dev.waybill.standalone.topology.Move;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "migrate",
        description = {
            "Moves a destination to a new entity, for a setting that is fixed at creation: makes the new one as declared, stops"
                    + " the relays, waits until consumers have emptied the old one, and lets the relays go on to the new one.",
            "Run it again if it was killed. Deletes nothing. Exit code 20 if something stands in the way or does not drain."
        })
final class TopologyMigrate extends CliCommand implements Progress {
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
            converter = Amounts.Span.class,
            description =
                    "How long nothing may be sent at most, as in 90s or 10m; then messages go to the old entity again"
                            + " (5m).")
    private Duration drainTimeout = Duration.ofMinutes(5);

    @Option(names = "--abort", description = "Give up a migration that has not switched yet.")
    private boolean abort;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "The reason, for the next person; only a dry run needs none.")
    private @Nullable String reason;

    @Option(
            names = {"--operator", "--by"},
            paramLabel = "NAME",
            description = "The person who does it (the user of this machine).")
    private @Nullable String operator;

    @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    private final Map<DatabaseSettings, HikariDataSource> pools = new HashMap<>();
    private final List<String> lines = new ArrayList<>();
    private boolean quiet;

    @Override
    public Integer call() {
        if (!dryRun && reason == null) {
            throw new IllegalArgumentException("Missing option '--reason=TEXT': only a dry run needs none");
        }
        Set<Leftovers.Kind> left = left();
        Configuration configuration = configuration();
        quiet = output().isJson();
        try {
            var search = new Move.Search(configuration, this::pool);
            NamespaceSettings place = search.namespace(destination, Optional.ofNullable(namespace));
            var bus = new Bus(place);
            Entities entities = bus.entities();
            Declaration declared =
                    TopologyCommands.declarations(configuration, place.name()).get(0);
            var parts = new Migration.Bus(declared, entities, bus.writer(), bus.contents(entities));
            Move move = search.of(
                    destination,
                    Optional.ofNullable(namespace),
                    Optional.ofNullable(to),
                    entity -> Migration.free(entity, path -> isFree(path, entity, place, declared, entities)));
            if (abort) {
                return abort(move);
            }
            return migrate(
                    new Migration(
                            move,
                            new Orders(left, drainTimeout, configuration.relay().leaseDuration(), instruction()),
                            parts,
                            this,
                            System::nanoTime),
                    move);
        } finally {
            pools.values().forEach(HikariDataSource::close);
        }
    }

    private HikariDataSource pool(DatabaseSettings database) {
        return pools.computeIfAbsent(database, Pools::connected);
    }

    private AuditContext instruction() {
        return new AuditContext(
                operator == null ? System.getProperty("user.name", "unknown") : operator,
                reason == null ? "dry run" : reason);
    }

    private Set<Leftovers.Kind> left() {
        Set<Leftovers.Kind> kinds = EnumSet.noneOf(Leftovers.Kind.class);
        for (String name : leave) {
            kinds.add(EnumSet.allOf(Leftovers.Kind.class).stream()
                    .filter(kind -> kind.label().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--leave: '" + name
                            + "' is none of active, scheduled, deferred, dead-letters, transfer-dead-letters")));
        }
        return kinds;
    }

    // One that an earlier attempt has made is as it is declared, and is taken if nobody has used it.
    private static boolean isFree(
            String path, DestinationSettings entity, NamespaceSettings place, Declaration declared, Entities entities) {
        return !declared.has(path)
                && Migration.fixed(entity.at(path), entities, place).isEmpty();
    }

    private int abort(Move move) {
        if (move.isHalfDone()) {
            say("Some outboxes send to " + move.to() + " already: run it again to complete the migration");
            return ExitCode.ERRORS;
        }
        boolean any = false;
        for (Move.Side side : move.left()) {
            boolean under = side.state().flatMap(state -> state.move()).isPresent();
            any |= under && (dryRun || side.moves().abort());
        }
        if (any && !dryRun) {
            tell("given up: messages of " + destination + " go to " + move.from());
        }
        say(
                any
                        ? (dryRun ? "Would give up" : "Given up") + ": messages go to " + move.from() + ". " + move.to()
                                + " stays, if it was made"
                        : "No migration of '" + destination + "' is under way");
        finish("aborted", any, Optional.empty());
        return any ? ExitCode.OK : ExitCode.NOT_FOUND;
    }

    private int migrate(Migration migration, Move move) {
        if (move.isDone()) {
            say(move.to() + " is in force.");
            after(move);
            finish("done", true, Optional.empty());
            return ExitCode.OK;
        }
        if (to == null && !isBegun(move) && !migration.isNeeded()) {
            say("Nothing of " + move.from()
                    + " that is fixed at creation differs from its declaration. Name an entity with"
                    + " --to to move all the same.");
            finish("done", false, Optional.empty());
            return ExitCode.OK;
        }
        Leftovers old = migration.leftovers();
        List<String> obstacles = migration.obstacles(old);
        plan(move, old);
        obstacles.forEach(obstacle -> say("! " + obstacle));
        if (!obstacles.isEmpty()) {
            finish("refused", false, Optional.empty());
            return ExitCode.ERRORS;
        }
        if (dryRun) {
            after(move);
            finish("dry run", false, Optional.empty());
            return ExitCode.WARNINGS;
        }
        Confirmation.ask(
                yes, "No message of '" + destination + "' is sent until " + move.from() + " is empty", destination);
        return end(migration.run(), move);
    }

    private static boolean isBegun(Move move) {
        return move.sides().stream()
                .anyMatch(side -> side.state().flatMap(state -> state.move()).isPresent());
    }

    private void plan(Move move, Leftovers old) {
        say(destination + " moves from " + move.from() + " to " + move.to() + " in the namespace '"
                + move.namespace().name() + "':");
        say("  1. make " + move.to() + " as it is declared"
                + (move.target().form().topic() ? ", with subscriptions and rules" : ""));
        say("  2. stop the sending of "
                + String.join(
                        ", ", move.left().stream().map(Move.Side::toString).toList()));
        say("  3. wait until consumers have emptied " + move.from());
        say("  4. put " + move.to() + " in force, and let the relays go on");
        List<String> holds = old.besides(Set.of());
        say("Now " + (holds.isEmpty() ? move.from() + " is empty." : String.join(", ", holds) + "."));
    }

    private void after(Move move) {
        String topic = move.target().form().topic() ? "/SUBSCRIPTION" : "";
        say("Afterwards, by hand:");
        say("  give the identity of relays and consumers its roles on " + move.to() + ", if it has them by entity:");
        say("    " + new AzureCommands(move.namespace().host().orElse("")).allowSending(move.target()));
        say("  let each consumer of " + move.from() + topic + " receive from " + move.to() + topic
                + ", under its name: before the switch beside the old one, or after it instead");
        say("  set destination." + destination + ".entity to " + move.to() + " in every configuration");
        say("  waybill-relay topology apply --delete " + move.from() + "   # when nobody needs what it holds");
    }

    private int end(Ending ending, Move move) {
        say(ending.text()
                + ending.pause()
                        .map(pause -> ". Nothing was sent for " + seconds(pause))
                        .orElse(""));
        switch (ending.outcome()) {
            case DONE -> {
                after(move);
                finish("done", true, ending.pause());
                return ExitCode.OK;
            }
            case BUSY -> {
                finish("busy", false, ending.pause());
                return ExitCode.BUSY;
            }
            case HELD_UP -> {
                tell("not ended: " + ending.text());
                finish("held up", false, ending.pause());
                return ExitCode.ERRORS;
            }
            default -> {
                finish("failed", false, ending.pause());
                return ExitCode.FAILED;
            }
        }
    }

    private static String seconds(Duration pause) {
        return pause.toMillis() / 1000.0 + " s";
    }

    private void finish(String state, boolean changed, Optional<Duration> pause) {
        if (quiet) {
            output().object(Output.row(
                    "destination", destination,
                    "state", state,
                    "changed", changed,
                    "pauseMillis", pause.map(Duration::toMillis).orElse(0L),
                    "lines", lines));
        }
    }

    private void say(String text) {
        lines.add(text);
        if (!quiet) {
            output().say(Output.printable(text));
        }
    }

    private void tell(String deed) {
        AuditLog.tell(
                "Topology: " + deed, instruction().operator(), instruction().reason());
    }

    @Override
    public void step(Step step, String text) {
        say((step.ordinal() + 1) + "/" + Step.values().length + " " + text);
        if (step == Step.WITHHOLD) {
            tell("stopped the sending of " + destination + " for a migration");
        }
    }

    @Override
    public void waits(String what) {
        say("    waits: " + what);
    }

    @Override
    public void made(Done done) {
        String text = done.state().name().toLowerCase(Locale.ROOT) + " " + done.entity() + " in the namespace '"
                + done.namespace() + "'" + (done.text().isEmpty() ? "" : ": " + done.text());
        say("    " + text);
        tell(text);
    }

    @Override
    public void switched(Move.Side side, Duration pause) {
        tell("switched " + side + ", which had sent nothing for " + seconds(pause));
    }
}
