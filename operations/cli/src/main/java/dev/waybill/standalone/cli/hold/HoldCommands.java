package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.ContentEdit;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.ListOptions;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The verbs for holds, shared by outbox and inbox. */
@Command(
        mixinStandardHelpOptions = true,
        subcommands = {
            HoldCommands.Listing.class,
            HoldShow.class,
            HoldCommands.Retry.class,
            HoldCommands.Release.class,
            HoldCommands.Skip.class,
            HoldCommands.Edit.class,
            HoldBulkCommands.ReleaseAll.class,
            HoldBulkCommands.SkipAll.class
        })
abstract class HoldCommands {
    abstract HoldSide side();

    final Holds holds(DatabaseSettings settings, DataSource pool) {
        return side() == HoldSide.OUTBOX
                ? Holds.ofOutbox(pool, settings.schema())
                : InboxHolds.in(pool, settings.schema());
    }

    @Command(name = "list", description = "Lists what is held, the oldest first.")
    static final class Listing extends DatabaseCommand {
        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private HoldCommands group;

        @Option(
                names = "--after",
                defaultValue = "0",
                converter = ArgumentConverters.NonNegativeLong.class,
                paramLabel = "ID",
                description = "Only behind this one.")
        private long after;

        @Mixin
        private ListOptions part = new ListOptions();

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Holds holds = group.holds(settings, pool);
            part.printInOrder(output(), holds.page(after, part.most()).map(HoldRows::of), "Nothing is held.");
            return ExitCode.OK;
        }
    }

    abstract static class Change extends MutatingCommand {
        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private HoldCommands group;

        @Mixin
        private HoldChoice choice = new HoldChoice();

        private final String done;

        Change(String done) {
            this.done = done;
        }

        @Override
        protected void checkArguments() {
            choice.check();
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            Holds holds = group.holds(settings, pool);
            Hold hold = choice.in(holds, group.side());
            prepare(holds, hold);
            if (!isDryRun()) {
                apply(holds, hold);
            }
            Map<String, Object> answer = Output.row(
                    "id", hold.id(),
                    "hold", hold.key(),
                    "done", isDryRun() ? "nothing: a dry run" : done,
                    "messages", hold.messages());
            describe(answer);
            output().object(answer);
            return ExitCode.OK;
        }

        void prepare(Holds holds, Hold hold) throws IOException {}

        /** Adds to the answer. */
        void describe(Map<String, Object> answer) {}

        abstract void apply(Holds holds, Hold hold);
    }

    @Command(name = "retry", description = "Lets a hold be tried, now or after a rest; attempts go on counting.")
    static final class Retry extends Change {
        @Option(
                names = "--after",
                defaultValue = "0",
                converter = ArgumentConverters.Wait.class,
                paramLabel = "TIME",
                description = "After a rest: 30s, 10m, 2h (0).")
        @SuppressWarnings("NullAway.Init")
        private Duration after;

        Retry() {
            super("will be tried");
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.retry(hold.key(), after, instruction());
        }
    }

    @Command(name = "release", description = "Lets a hold go, with attempts counted anew.")
    static final class Release extends Change {
        Release() {
            super("released");
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.release(hold.key(), instruction());
        }
    }

    @Command(name = "skip", description = "Takes a message out for good; the audit keeps it.")
    static final class Skip extends Change {
        @Option(
                names = "--place",
                required = true,
                converter = ArgumentConverters.NonNegativeLong.class,
                paramLabel = "N",
                description = "Which message, as show prints it.")
        private long place;

        Skip() {
            super("skipped");
        }

        @Override
        void prepare(Holds holds, Hold hold) {
            HeldMessage message = message(holds, hold, place);
            if (!isDryRun()) {
                String id = message.content().messageId();
                confirmOne("Message " + id + " of " + hold.key() + " will not be sent or handled", id);
            }
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.skip(hold.key(), place, instruction());
        }
    }

    @Command(name = "edit", description = "Changes what a message says; the audit keeps the original.")
    static final class Edit extends Change {
        @Option(
                names = "--place",
                required = true,
                converter = ArgumentConverters.NonNegativeLong.class,
                paramLabel = "N",
                description = "Which message, as show prints it.")
        private long place;

        @Mixin
        private ContentEdit edit = new ContentEdit();

        private UnaryOperator<MessageContent> change = content -> content;
        private List<Map<String, Object>> changes = List.of();

        Edit() {
            super("edited");
        }

        @Override
        protected void checkArguments() {
            super.checkArguments();
            edit.check();
        }

        @Override
        void prepare(Holds holds, Hold hold) throws IOException {
            MessageContent content = message(holds, hold, place).content();
            change = edit.read();
            MessageContent changed = change.apply(content);
            @Nullable String broken = SendRules.violation(content, changed);
            if (broken != null) {
                throw new IllegalArgumentException("The edited message " + broken);
            }
            changes = ContentEdit.differences(content, changed);
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.edit(hold.key(), place, change, instruction());
        }

        @Override
        void describe(Map<String, Object> answer) {
            if (output().isJson()) {
                answer.put("changes", changes);
            } else {
                output().table(changes, "Nothing differs.");
                output().say("");
            }
        }
    }

    private static HeldMessage message(Holds holds, Hold hold, long place) {
        return holds.messages(hold.key(), place - 1, 1).stream()
                .filter(message -> message.place() == place)
                .findFirst()
                .orElseThrow(
                        () -> new NoSuchElementException("The hold of the " + hold.key() + " has no message " + place));
    }
}
