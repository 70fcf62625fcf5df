package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.Redrives;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.command.Progress;
import dev.waybill.standalone.cli.deadletter.DeadLetterChoice.States;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.database.KnownConsumers;
import dev.waybill.standalone.log.Terminal;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

final class RedriveCommands {
    private RedriveCommands() {}

    @Command(
            name = "redrive",
            description =
                    "Sends them once more, through the outbox: in the order of their sessions, under a new MessageId"
                            + " and the same logical id. A run that is cut short goes on with resume.")
    static final class Redrive extends MutatingCommand {
        @Mixin
        private DeadLetterChoice choice = new DeadLetterChoice();

        @Option(names = "--to-entity", paramLabel = "NAME", description = "To another queue or topic.")
        private @Nullable String entity;

        @Option(names = "--to-consumer", paramLabel = "NAME", description = "Only to the consumer that failed.")
        private @Nullable String consumer;

        @Option(
                names = "--canary",
                converter = ArgumentConverters.PositiveInt.class,
                paramLabel = "N",
                description = "Pause after so many.")
        private @Nullable Integer canary;

        @Option(
                names = "--rate",
                converter = ArgumentConverters.PositiveInt.class,
                paramLabel = "N",
                description = "Most messages in a second.")
        private @Nullable Integer rate;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws InterruptedException {
            choice.requireEntity(configuration(), settings, pool);
            if (consumer != null) {
                KnownConsumers.require(consumer, configuration().consumers(), settings, pool);
            }
            Redrives redrives = Redrives.in(pool, settings.schema());
            DeadLetters deadLetters = DeadLetters.in(pool, settings.schema());
            Optional<String> missing = choice.missing(deadLetters);
            missing.ifPresent(this::warn);
            DeadLetterFilter filter = deadLetters.asOfNow(filter());
            RedrivePlan plan = redrives.plan(filter, order());
            Optional<String> unknown = Optional.empty();
            if (plan.messages() == 0 && plan.isPossible()) {
                choice.standing(deadLetters).ifPresent(this::warn);
                unknown = choice.unknown(deadLetters);
                unknown.ifPresent(this::warn);
            }
            topics(settings, plan)
                    .forEach(topic -> warn("'" + topic + "' is a topic: the broker accepts a copy that no"
                            + " subscription takes, and drops it; 'waybill-relay topology check' compares the rules"));
            if (isDryRun() || !plan.isPossible() || plan.messages() == 0) {
                output().object(Output.row(
                        "messages", plan.messages(),
                        "sessions", plan.sessions(),
                        "destinations", plan.destinations(),
                        "quarantined", plan.quarantined(),
                        "obstacles", plan.obstacles(),
                        "redriven", 0));
                int possible = unknown.isPresent() ? ExitCode.NOT_FOUND : code(missing);
                return plan.isPossible() ? possible : ExitCode.FAILED;
            }
            if (!choice.isNarrowed()) {
                confirmMany("dead letters are re-driven", plan.messages());
            }
            RedriveRun run = finish(redrives, redrives.begin(filter, order(), instruction()), plan.messages());
            output().object(DeadLetterTables.of(run));
            return code(missing);
        }

        private List<String> topics(DatabaseSettings settings, RedrivePlan plan) {
            return configuration().destinations(settings).stream()
                    .filter(destination -> destination.form().topic())
                    .map(DestinationSettings::name)
                    .filter(plan.destinations()::containsKey)
                    .toList();
        }

        private static int code(Optional<String> missing) {
            return missing.isPresent() ? ExitCode.WARNINGS : ExitCode.OK;
        }

        @Override
        protected void checkArguments() {
            filter();
            order();
        }

        private DeadLetterFilter filter() {
            return choice.deliberate(choice.isNarrowed(), States.of(DeadLetter.State.OPEN));
        }

        private RedriveRequest order() {
            if (entity != null && consumer != null) {
                throw new IllegalArgumentException("Give --to-entity or --to-consumer, not both");
            }
            RedriveRequest order = entity != null
                    ? RedriveRequest.toEntity(entity)
                    : consumer != null ? RedriveRequest.toConsumer(consumer) : RedriveRequest.toSource();
            order = canary != null ? order.withCanary(canary) : order;
            return rate != null ? order.withRate(rate) : order;
        }
    }

    @Command(name = "runs", description = "Lists re-drives that are under way or paused.")
    static final class Runs extends DatabaseCommand {
        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            List<Map<String, Object>> rows = Redrives.in(pool, settings.schema()).underWay().stream()
                    .map(DeadLetterTables::of)
                    .toList();
            output().table(rows, "None is under way.");
            return ExitCode.OK;
        }
    }

    abstract static class RunChange extends MutatingCommand {
        @Parameters(
                paramLabel = "RUN",
                converter = ArgumentConverters.NonNegativeLong.class,
                description = "Its number.")
        private long run;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws InterruptedException {
            Redrives redrives = Redrives.in(pool, settings.schema());
            if (redrives.show(run).isEmpty()) {
                throw new NoSuchElementException("There is no re-drive " + run);
            }
            if (!isDryRun()) {
                apply(redrives, run);
            }
            output().object(DeadLetterTables.of(redrives.show(run).orElseThrow()));
            return ExitCode.OK;
        }

        abstract void apply(Redrives redrives, long run) throws InterruptedException;
    }

    @Command(name = "pause", description = "Lets a re-drive wait.")
    static final class Pause extends RunChange {
        @Override
        void apply(Redrives redrives, long run) {
            redrives.pause(run, instruction());
        }
    }

    @Command(name = "resume", description = "Takes a re-drive on to its end.")
    static final class Resume extends RunChange {
        @Override
        void apply(Redrives redrives, long run) throws InterruptedException {
            redrives.resume(run, instruction());
            finish(redrives, run, redrives.show(run).orElseThrow().items());
        }
    }

    @Command(name = "abandon", description = "Ends a re-drive; what it has not taken stays a dead letter.")
    static final class Abandon extends RunChange {
        @Override
        void apply(Redrives redrives, long run) {
            redrives.abandon(run, instruction());
        }
    }

    private static RedriveRun finish(Redrives redrives, long run, long messages) throws InterruptedException {
        var progress = new Progress("re-driven", messages, Terminal.isThere());
        var done = new AtomicLong();
        RedriveRun end = redrives.finish(run, step -> progress.show(done.addAndGet(step.redriven())));
        progress.end();
        return end;
    }
}
