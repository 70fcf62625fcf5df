package dev.waybill.standalone.cli.hold;

import dev.waybill.migrations.Role;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.InboxReader;
import dev.waybill.standalone.database.KnownConsumers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "inbox",
        mixinStandardHelpOptions = true,
        description = "The ids that consumers remember, and the messages that they hold.",
        subcommands = {InboxCommands.Check.class, InboxCommands.Prune.class, HeldCommands.class})
public final class InboxCommands {
    @Command(
            name = "check",
            description = "Says of each consumer how much it remembers, and what is left behind."
                    + " Exit code 10 if something is.")
    static final class Check extends DatabaseCommand {
        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            List<InboxReader.Consumer> consumers = new InboxReader(pool, settings.schema()).consumers();
            List<Map<String, Object>> rows = consumers.stream().map(Check::row).toList();
            output().table(rows, "There are no consumers.");
            boolean left =
                    consumers.stream().anyMatch(consumer -> consumer.deferrals().forgotten() > 0);
            return left ? ExitCode.WARNINGS : ExitCode.OK;
        }

        private static Map<String, Object> row(InboxReader.Consumer consumer) {
            return Output.row(
                    "consumer", consumer.name(),
                    "alive", consumer.alive(),
                    "ids", consumer.ids(),
                    "oldest", consumer.oldest(),
                    "deferred", consumer.deferrals().count(),
                    "forgottenDeferrals", consumer.deferrals().forgotten(),
                    "holds", consumer.holds());
        }
    }

    @Command(
            name = "prune",
            description =
                    "Removes ids that are old enough, except those that a hold, a deferral or a dead letter that may come"
                            + " back names. A message whose id is gone has its effect again if it comes again. Needs"
                            + " the grants of the role CONSUMER.")
    static final class Prune extends MutatingCommand {
        @Parameters(paramLabel = "CONSUMER", description = "The consumer.")
        @SuppressWarnings("NullAway.Init")
        private String consumer;

        @Option(
                names = "--older-than",
                required = true,
                converter = ArgumentConverters.Age.class,
                paramLabel = "TIME",
                description =
                        "How old: longer than messages live, repeats are dropped and dead letters come back; 14d.")
        @SuppressWarnings("NullAway.Init")
        private Duration olderThan;

        @Override
        public Role role() {
            return Role.CONSUMER;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            var inbox = new InboxReader(pool, settings.schema());
            long ids = inbox.prunable(consumer, olderThan);
            if (ids == 0) {
                KnownConsumers.require(consumer, configuration().consumers(), settings, pool);
            }
            long removed = 0;
            if (!isDryRun() && ids > 0) {
                confirmMany("ids of consumer " + consumer + " are removed for good", ids);
                removed = inbox.prune(consumer, olderThan);
            }
            output().object(Output.row("consumer", consumer, "found", ids, "removed", removed));
            return ExitCode.OK;
        }
    }
}
