package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldPart;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.KnownConsumers;
import dev.waybill.standalone.database.KnownDestinations;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The verbs for many parked holds. */
final class HoldBulkCommands {
    private HoldBulkCommands() {}

    abstract static class Change extends MutatingCommand {
        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private HoldCommands group;

        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "SCOPE",
                description = "The destination of outbox holds, the consumer of inbox holds.")
        private @Nullable String scope;

        @Option(
                names = "--because",
                converter = ArgumentConverters.GivenText.class,
                paramLabel = "REASON",
                description = "With exactly this reason.")
        private @Nullable String because;

        @Option(
                names = "--session",
                converter = ArgumentConverters.GivenText.class,
                paramLabel = "ID",
                description = "Of this session.")
        private @Nullable String session;

        @Option(names = "--all", description = "All that are parked.")
        private boolean all;

        @Override
        protected void checkArguments() {
            filter();
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Holds holds = group.holds(settings, pool);
            HoldFilter filter = filter();
            HoldPart seen = holds.part(filter, Integer.MAX_VALUE - 1);
            // What comes after the question was not asked about.
            HoldFilter chosen = isFinal() ? seen.unchanged(filter) : seen.untried(filter);
            HoldTally found = holds.tally(chosen);
            if (found.holds() + found.busy() == 0) {
                requireScope(settings, pool);
            }
            HoldTally done = HoldTally.NONE;
            if (!isDryRun() && found.holds() > 0) {
                if (isFinal() || !isNarrowed()) {
                    confirmMany("messages of " + found.holds() + " holds " + fate(), messages(found));
                }
                done = apply(holds, chosen);
            }
            output().object(Output.row(
                    "found", found.holds(),
                    "foundMessages", found.messages(),
                    "busy", Math.max(found.busy(), done.busy()),
                    "holds", done.holds(),
                    "messages", done.messages()));
            boolean unknown = found.holds() + found.busy() == 0 && (because != null || session != null);
            if (unknown) {
                warn("Nothing that is parked has this reason or session; 'list' shows what is held");
            }
            long left = isDryRun() ? 0 : found.holds() + found.busy() - done.holds();
            if (left > 0) {
                warn(left + " holds are at work, or have changed since they were counted: repeat the command");
                return ExitCode.BUSY;
            }
            return unknown ? ExitCode.NOT_FOUND : ExitCode.OK;
        }

        private void requireScope(DatabaseSettings settings, DataSource pool) {
            if (scope != null && group.side() == HoldSide.OUTBOX) {
                KnownDestinations.require(scope, settings, pool);
            } else if (scope != null) {
                KnownConsumers.require(scope, configuration().consumers(), settings, pool);
            }
        }

        private HoldFilter filter() {
            if (!isNarrowed() && !all) {
                throw new IllegalArgumentException("Select holds with a filter, or give --all");
            }
            HoldFilter filter = HoldFilter.parked();
            filter = scope == null ? filter : filter.scope(scope);
            filter = because == null ? filter : filter.reason(because);
            return session == null ? filter : filter.session(session);
        }

        private boolean isNarrowed() {
            return scope != null || because != null || session != null;
        }

        /** Whether messages are lost, so that the change always needs a confirmation. */
        boolean isFinal() {
            return false;
        }

        long messages(HoldTally found) {
            return found.messages();
        }

        abstract String fate();

        abstract HoldTally apply(Holds holds, HoldFilter filter);
    }

    @Command(
            name = "release-all",
            description = "Lets all go that are parked, by destination or consumer, reason, session.")
    static final class ReleaseAll extends Change {
        @Override
        String fate() {
            return "are let go";
        }

        @Override
        HoldTally apply(Holds holds, HoldFilter filter) {
            return holds.release(filter, instruction());
        }
    }

    @Command(
            name = "skip-all",
            description =
                    "Takes out for good all messages of those that are parked, by destination or consumer, reason,"
                            + " session; the audit keeps them.")
    static final class SkipAll extends Change {
        @Option(
                names = "--first",
                description = "Only the first message of each, to which the reason belongs; the others are let go.")
        private boolean first;

        @Override
        boolean isFinal() {
            return true;
        }

        @Override
        long messages(HoldTally found) {
            return first ? found.holds() : found.messages();
        }

        @Override
        String fate() {
            return "will not be sent or handled";
        }

        @Override
        HoldTally apply(Holds holds, HoldFilter filter) {
            return first ? holds.skipFirst(filter, instruction()) : holds.skipAll(filter, instruction());
        }
    }
}
