package dev.waybill.standalone.cli;

import dev.waybill.hold.HoldSide;
import dev.waybill.migrations.Role;
import dev.waybill.relay.HistoryChangedException;
import dev.waybill.relay.OutboxHistory;
import dev.waybill.standalone.config.DatabaseSettings;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "outbox",
        description = "Messages that the broker would not take; and the outbox itself after a restore.",
        subcommands = OutboxCommands.Rebase.class)
final class OutboxCommands extends HoldCommands {
    @Override
    HoldSide side() {
        return HoldSide.OUTBOX;
    }

    @Command(
            name = "rebase",
            description =
                    "After the database went back in time: every message that cannot be shown to be published is sent"
                            + " again. As the owner of the tables, with all relays stopped and before writers go on.")
    static final class Rebase extends MutatingCommand {
        @Override
        @Nullable Role role() {
            return null;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            OutboxHistory history = OutboxHistory.of(pool, settings.schema());
            String found = evidence(history);
            if (isDryRun()) {
                output().object(Output.row("database", settings.name(), "found", found, "rebased", false));
                return ExitCode.OK;
            }
            confirmOne(
                    "Messages of database " + settings.name()
                            + " that cannot be shown to be published are sent again; found: " + found,
                    settings.name());
            long pending = history.rebase();
            output().object(Output.row(
                    "database", settings.name(), "found", found, "rebased", true, "willBeSent", pending));
            return ExitCode.OK;
        }

        private static String evidence(OutboxHistory history) {
            try {
                history.check();
                return "nothing: the counters are as recorded";
            } catch (HistoryChangedException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }
}
