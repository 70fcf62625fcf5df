package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetterExchange;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.ListOptions;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "dlq",
        mixinStandardHelpOptions = true,
        description = "Dead letters that were collected into the database.",
        subcommands = {
            DlqCommands.Listing.class,
            DlqShow.class,
            DlqCommands.Groups.class,
            DlqCommands.Collectors.class,
            DlqEditCommands.Edit.class,
            RedriveCommands.Redrive.class,
            RedriveCommands.Runs.class,
            RedriveCommands.Pause.class,
            RedriveCommands.Resume.class,
            RedriveCommands.Abandon.class,
            DlqBulkCommands.Discard.class,
            DlqBulkCommands.Reopen.class,
            DlqBulkCommands.Archive.class,
            DlqBulkCommands.Restore.class,
            DlqRemovalCommands.Expire.class,
            DlqRemovalCommands.Redact.class,
            DlqCommands.Export.class,
            DlqEditCommands.Import.class,
            DlqBulkCommands.Quarantine.class
        })
public final class DlqCommands {
    private static int code(Optional<String> missing) {
        return missing.isPresent() ? ExitCode.WARNINGS : ExitCode.OK;
    }

    @Command(name = "list", description = "Lists them, open ones unless told otherwise.")
    static final class Listing extends DatabaseCommand {
        @Mixin
        private DeadLetterChoice choice = new DeadLetterChoice();

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
            choice.requireEntity(configuration(), settings, pool);
            DeadLetters letters = DeadLetters.in(pool, settings.schema());
            Optional<String> missing = choice.missing(letters);
            missing.ifPresent(this::warn);
            part.printInOrder(
                    output(),
                    letters.page(choice.filter(), after, part.most()).map(DeadLetterTables::of),
                    "There are none.");
            return code(missing);
        }
    }

    @Command(name = "groups", description = "Counts them, the most frequent first.")
    static final class Groups extends DatabaseCommand {
        @Mixin
        private DeadLetterChoice choice = new DeadLetterChoice();

        @Option(
                names = "--by",
                split = ",",
                defaultValue = "ENTITY,REASON",
                paramLabel = "WHAT",
                description = "${COMPLETION-CANDIDATES} (entity,reason).")
        private List<DeadLetterGroup.By> by = List.of();

        @Mixin
        private ListOptions part = new ListOptions();

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            choice.requireEntity(configuration(), settings, pool);
            DeadLetters letters = DeadLetters.in(pool, settings.schema());
            Optional<String> missing = choice.missing(letters);
            missing.ifPresent(this::warn);
            part.print(
                    output(),
                    letters.groups(choice.filter(), part.most(), by.toArray(DeadLetterGroup.By[]::new))
                            .map(group -> DeadLetterTables.of(group, by)),
                    "There are none.");
            return code(missing);
        }
    }

    @Command(name = "collectors", description = "Says how collecting goes, by entity.")
    static final class Collectors extends DatabaseCommand {
        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            List<Map<String, Object>> rows = DeadLetters.in(pool, settings.schema()).collectors().stream()
                    .map(DeadLetterTables::of)
                    .toList();
            output().table(rows, "No collector has run.");
            return ExitCode.OK;
        }
    }

    @Command(name = "export", description = "Writes them to a file, one JSON object a line, bodies included.")
    static final class Export extends DatabaseCommand {
        @Mixin
        private DeadLetterChoice choice = new DeadLetterChoice();

        @Parameters(paramLabel = "FILE", description = "The file; it must not exist. - is standard output.")
        @SuppressWarnings("NullAway.Init")
        private Path file;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            choice.requireEntity(configuration(), settings, pool);
            DeadLetters letters = DeadLetters.in(pool, settings.schema());
            Optional<String> missing = choice.missing(letters);
            missing.ifPresent(this::warn);
            DeadLetterFilter filter = choice.filter();
            long exported;
            try (Writer out = create(file)) {
                exported = DeadLetterExchange.in(pool, settings.schema()).export(filter, out);
                outputBeside(file).object(Output.row("file", file, "exported", exported));
            }
            Optional<String> unknown = exported == 0 ? choice.unknown(letters) : Optional.empty();
            unknown.ifPresent(this::warn);
            return unknown.isPresent() ? ExitCode.NOT_FOUND : code(missing);
        }
    }
}
