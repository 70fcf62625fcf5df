package dev.waybill.standalone.cli;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import dev.waybill.hold.MessageContent;
import dev.waybill.hold.Side;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What can be done about holds, in the same words for outbox and inbox; the name of the group says which. */
final class HoldVerbs {
    private HoldVerbs() {}

    private static Holds holds(Side side, DatabaseSettings settings, DataSource pool) {
        return side == Side.OUTBOX ? Holds.ofOutbox(pool, settings.schema()) : InboxHolds.in(pool, settings.schema());
    }

    private static Hold existing(Holds holds, HoldChoice choice, Side side) {
        return holds.show(choice.key(side))
                .orElseThrow(() -> new NoSuchElementException("There is no hold of the " + choice.key(side)));
    }

    /** {@code list}. */
    abstract static class Listing extends DatabaseVerb {
        private final Side side;

        Listing(Side side) {
            this.side = side;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            List<Map<String, Object>> rows = holds(side, settings, pool).list().stream()
                    .map(HoldRows::of)
                    .toList();
            output().table(rows, "Nothing is held.");
            return ExitCode.OK;
        }
    }

    /** {@code show}. */
    abstract static class Show extends DatabaseVerb {
        private final Side side;

        @Mixin
        private HoldChoice choice = new HoldChoice();

        @Option(names = "--most", defaultValue = "20", paramLabel = "N", description = "How many messages (20).")
        private int most;

        Show(Side side) {
            this.side = side;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) {
            Holds holds = holds(side, settings, pool);
            Map<String, Object> hold = HoldRows.of(existing(holds, choice, side));
            List<Map<String, Object>> messages = holds.messages(choice.key(side), most).stream()
                    .map(HoldRows::of)
                    .toList();
            List<Map<String, Object>> history =
                    holds.history(choice.key(side)).stream().map(HoldRows::of).toList();
            Output output = output();
            if (output.isJson()) {
                output.object(Output.row("hold", hold, "messages", messages, "history", history));
            } else {
                output.object(hold);
                output.say("");
                output.table(messages, "It has no messages.");
                output.say("");
                output.table(history, "Nobody has touched it.");
            }
            return ExitCode.OK;
        }
    }

    /** A change of one hold. */
    abstract static class Change extends Deed {
        private final Side side;
        private final String done;

        @Mixin
        private HoldChoice choice = new HoldChoice();

        Change(Side side, String done) {
            this.side = side;
            this.done = done;
        }

        @Override
        int run(DatabaseSettings settings, DataSource pool) throws IOException {
            Holds holds = holds(side, settings, pool);
            Hold hold = existing(holds, choice, side);
            prepare(holds, hold);
            if (!isDryRun()) {
                apply(holds, hold);
            }
            output().object(Output.row(
                    "hold",
                    hold.key(),
                    "done",
                    isDryRun() ? "nothing: a dry run of " + done : done,
                    "messages",
                    hold.messages()));
            return ExitCode.OK;
        }

        void prepare(Holds holds, Hold hold) throws IOException {}

        abstract void apply(Holds holds, Hold hold);
    }

    /** {@code retry}. */
    abstract static class Retry extends Change {
        @Option(
                names = "--after",
                defaultValue = "0",
                paramLabel = "TIME",
                description = "After a rest: 30s, 10m, 2h (0).")
        @SuppressWarnings("NullAway.Init")
        private String after;

        Retry(Side side) {
            super(side, "will be tried");
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.retry(hold.key(), Times.parse(after), instruction());
        }
    }

    /** {@code release}. */
    abstract static class Release extends Change {
        Release(Side side) {
            super(side, "released");
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.release(hold.key(), instruction());
        }
    }

    /** {@code skip}. */
    abstract static class Skip extends Change {
        @Option(names = "--place", required = true, paramLabel = "N", description = "Which message, as show prints it.")
        private long place;

        Skip(Side side) {
            super(side, "skipped");
        }

        @Override
        void prepare(Holds holds, Hold hold) {
            HeldMessage message = message(holds, hold, place);
            if (!isDryRun()) {
                String id = message.content().messageId();
                confirm("Message " + id + " of " + hold.key() + " will not be sent or handled", id);
            }
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.skip(hold.key(), place, instruction());
        }
    }

    /** {@code edit}. */
    abstract static class Edit extends Change {
        @Option(names = "--place", required = true, paramLabel = "N", description = "Which message, as show prints it.")
        private long place;

        @Option(names = "--body-file", paramLabel = "FILE", description = "The new body.")
        private @Nullable Path file;

        @Option(names = "--property", paramLabel = "NAME=TEXT", description = "An application property to set.")
        private Map<String, String> properties = new LinkedHashMap<>();

        private byte @Nullable [] body;

        Edit(Side side) {
            super(side, "edited");
        }

        @Override
        void prepare(Holds holds, Hold hold) throws IOException {
            if (file == null && properties.isEmpty()) {
                throw new IllegalArgumentException("Give --body-file or --property: there is nothing to change");
            }
            message(holds, hold, place);
            body = file == null ? null : Files.readAllBytes(file);
        }

        @Override
        void apply(Holds holds, Hold hold) {
            holds.edit(hold.key(), place, this::changed, instruction());
        }

        private MessageContent changed(MessageContent old) {
            var all = new LinkedHashMap<String, Object>(old.properties());
            all.putAll(properties);
            MessageContent changed = properties.isEmpty() ? old : old.withProperties(all);
            return body == null ? changed : changed.withBody(body);
        }
    }

    private static HeldMessage message(Holds holds, Hold hold, long place) {
        return holds.messages(hold.key(), Integer.MAX_VALUE).stream()
                .filter(message -> message.place() == place)
                .findFirst()
                .orElseThrow(
                        () -> new NoSuchElementException("The hold of the " + hold.key() + " has no message " + place));
    }
}
