package dev.waybill.standalone.cli.deadletter;

import static dev.waybill.deadletter.DeadLetter.State.ARCHIVED;
import static dev.waybill.deadletter.DeadLetter.State.DISCARDED;
import static dev.waybill.deadletter.DeadLetter.State.OPEN;
import static dev.waybill.deadletter.DeadLetter.State.QUARANTINED;
import static dev.waybill.deadletter.DeadLetter.State.REDRIVEN;

import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.deadletter.DeadLetterChoice.States;
import dev.waybill.standalone.config.DatabaseSettings;
import java.time.Duration;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verbs that change the state of many dead letters. */
final class DlqBulkCommands {
    private DlqBulkCommands() {}

    @Command(name = "discard", description = "Closes them: nothing more is to happen to them.")
    static final class Discard extends DlqBulkCommand {
        Discard() {
            super("discarded", States.of(OPEN).orIfNamed(QUARANTINED));
        }

        @Override
        boolean isFinal() {
            return true;
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            return DeadLetters.in(pool, settings.schema()).discard(filter, instruction());
        }
    }

    @Command(
            name = "reopen",
            description = "Opens those again that were discarded or re-driven, or that are quarantined.")
    static final class Reopen extends DlqBulkCommand {
        Reopen() {
            super("reopened", States.of(DISCARDED, REDRIVEN, QUARANTINED));
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            DeadLetters deadLetters = DeadLetters.in(pool, settings.schema());
            return deadLetters.reopen(filter, instruction()) + deadLetters.release(filter, instruction());
        }
    }

    @Command(name = "quarantine", description = "Lets those go that were stopped because re-driving did not help.")
    static final class Quarantine extends DlqBulkCommand {
        Quarantine() {
            super("released", States.of(QUARANTINED));
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            return DeadLetters.in(pool, settings.schema()).release(filter, instruction());
        }
    }

    @Command(name = "archive", description = "Moves their bodies to the archive, for as long as an audit may ask.")
    static final class Archive extends DlqBulkCommand {
        @Option(
                names = "--keep",
                defaultValue = "42d",
                converter = ArgumentConverters.Wait.class,
                paramLabel = "TIME",
                description = "How long (42d).")
        @SuppressWarnings("NullAway.Init")
        private Duration keep;

        Archive() {
            super("archived", States.of(OPEN).orIfNamed(QUARANTINED, REDRIVEN, DISCARDED));
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            return DeadLetterArchive.in(pool, settings.schema()).archive(filter, keep, instruction());
        }
    }

    @Command(name = "restore", description = "Opens archived ones again, with their bodies.")
    static final class Restore extends DlqBulkCommand {
        Restore() {
            super("restored", States.of(ARCHIVED));
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            return DeadLetterArchive.in(pool, settings.schema()).restore(filter, instruction());
        }
    }
}
