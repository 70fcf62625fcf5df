package dev.waybill.standalone.cli;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.ListOptions;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.KnownDestinations;
import dev.waybill.standalone.database.ReplayReader;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplayCount;
import dev.waybill.standalone.replay.ReplaySelection;
import java.time.Instant;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Publishes copies of what was published, as far as the outbox still has it. When a namespace is lost: failover.",
        subcommands = {
            ReplayCommands.Start.class,
            ReplayCommands.Listing.class,
            ReplayCommands.Resume.class,
            ReplayCommands.Abandon.class
        })
final class ReplayCommands {
    @Command(
            name = "start",
            description =
                    "Counts the messages and, once that is confirmed, appends their copies: same logical ids, so an"
                            + " inbox drops what it has handled. A run that is cut short goes on with resume.")
    static final class Start extends MutatingCommand {
        @Parameters(paramLabel = "DESTINATION", description = "The destination.")
        @SuppressWarnings("NullAway.Init")
        private String destination;

        @Option(
                names = "--session",
                converter = ArgumentConverters.GivenText.class,
                paramLabel = "ID",
                description = "Only of this session.")
        private @Nullable String session;

        @Option(
                names = "--from",
                converter = ArgumentConverters.PointInTime.class,
                paramLabel = "TIME",
                description = "Appended then or later: 2026-03-01, 2026-03-01 06:00, or 2h for two hours ago.")
        private @Nullable Instant from;

        @Option(
                names = "--until",
                converter = ArgumentConverters.PointInTime.class,
                paramLabel = "TIME",
                description = "Appended before; in the same forms.")
        private @Nullable Instant until;

        @Override
        protected void checkArguments() {
            if (from != null && until != null && !from.isBefore(until)) {
                throw new IllegalArgumentException("--from " + from + " is not before --until " + until);
            }
            selection();
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            KnownDestinations.require(destination, settings, pool);
            OutboxReplay replay = OutboxReplay.of(pool, settings.schema());
            ReplaySelection selection = selection();
            ReplayCount count = replay.count(selection);
            var answer = Output.row(
                    "destination", destination,
                    "published", count.published(),
                    "notReplayed", count.pending(),
                    "sessions", count.sessions(),
                    "missingBodies", count.missingBodies());
            if (isDryRun() || count.published() == 0) {
                answer.put("replayed", 0);
                output().object(answer);
                return count.published() == 0 ? nothing(count) : ExitCode.OK;
            }
            confirmMany("messages of " + destination + " are published once more", count.published());
            UUID run = replay.begin(selection, told(instruction()));
            long replayed = replay.finish(run);
            answer.put("run", run);
            answer.put("replayed", replayed);
            output().object(answer);
            return replayed < count.published() ? fewer(replayed, count) : ExitCode.OK;
        }

        private int fewer(long replayed, ReplayCount count) {
            warn(replayed + " of " + count.published()
                    + " messages were replayed: the others have expired or are no longer retained, or another"
                    + " command ended the run");
            return ExitCode.WARNINGS;
        }

        private int nothing(ReplayCount count) {
            warn("Nothing that '" + destination + "' retains is chosen"
                    + (session == null ? "" : ", of session '" + session + "'") + ", or its time to live is over");
            return session != null && count.pending() == 0 ? ExitCode.NOT_FOUND : ExitCode.OK;
        }

        // A run stores a reason only; its operator would be the database's user.
        private static String told(AuditContext instruction) {
            return instruction.reason() + " (" + instruction.operator() + ")";
        }

        private ReplaySelection selection() {
            var all = ReplaySelection.of(destination);
            ReplaySelection chosen = session == null ? all : all.ofSession(session);
            chosen = from == null ? chosen : chosen.from(from);
            return until == null ? chosen : chosen.until(until);
        }
    }

    @Command(name = "list", description = "Lists the runs, the newest first.")
    static final class Listing extends DatabaseCommand {
        @Mixin
        private ListOptions part = new ListOptions();

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            var replays = new ReplayReader(pool, settings.schema());
            part.print(output(), replays.newest(part.most()).map(Listing::row), "Nothing was ever replayed.");
            return ExitCode.OK;
        }

        private static Map<String, Object> row(ReplayReader.Run run) {
            return Output.row(
                    "run", run.id(),
                    "destination", run.destination(),
                    "session", run.session(),
                    "state", run.state(),
                    "replayed", run.replayed(),
                    "startedAt", run.startedAt(),
                    "reason", run.reason());
        }
    }

    @Command(name = "resume", description = "Goes on with a run that was cut short; no row is replayed twice.")
    static final class Resume extends MutatingCommand {
        @Parameters(paramLabel = "RUN", description = "The run, as list shows it.")
        @SuppressWarnings("NullAway.Init")
        private UUID run;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            OutboxReplay replay = OutboxReplay.of(pool, settings.schema());
            requireOpen(replay, run);
            output().object(Output.row("run", run, "replayed", isDryRun() ? 0 : replay.finish(run)));
            return ExitCode.OK;
        }
    }

    @Command(name = "abandon", description = "Ends a run that is not to go on; what it has appended stays.")
    static final class Abandon extends MutatingCommand {
        @Parameters(paramLabel = "RUN", description = "The run, as list shows it.")
        @SuppressWarnings("NullAway.Init")
        private UUID run;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            OutboxReplay replay = OutboxReplay.of(pool, settings.schema());
            requireOpen(replay, run);
            output().object(Output.row("run", run, "abandoned", !isDryRun() && replay.abandon(run, instruction())));
            return ExitCode.OK;
        }
    }

    private static void requireOpen(OutboxReplay replay, UUID run) {
        if (!replay.open().contains(run)) {
            throw new NoSuchElementException(
                    "There is no open replay " + run + "; 'waybill-relay replay list' shows them");
        }
    }
}
