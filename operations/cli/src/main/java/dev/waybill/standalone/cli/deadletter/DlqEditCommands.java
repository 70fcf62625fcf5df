package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetterExchange;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.deadletter.ImportPreview;
import dev.waybill.message.MessageContent;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that edit or import dead letters. */
final class DlqEditCommands {
    private DlqEditCommands() {}

    @Command(name = "edit", description = "Changes what one says; the original is kept.")
    static final class Edit extends MutatingCommand {
        @Parameters(
                paramLabel = "ID",
                converter = ArgumentConverters.NonNegativeLong.class,
                description = "Its number.")
        private long id;

        @Option(names = "--body-file", paramLabel = "FILE", description = "The new body.")
        private @Nullable Path file;

        @Option(names = "--property", paramLabel = "NAME=TEXT", description = "An application property to set.")
        private Map<String, String> properties = new LinkedHashMap<>();

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            if (file == null && properties.isEmpty()) {
                throw new IllegalArgumentException("Give --body-file or --property: there is nothing to change");
            }
            byte[] body = file == null ? null : Files.readAllBytes(file);
            List<FieldChange> changes = isDryRun()
                    ? List.of()
                    : DeadLetters.in(pool, settings.schema()).edit(id, old -> changed(old, body), instruction());
            output().table(changes.stream().map(DeadLetterTables::of).toList(), "Nothing was changed.");
            return ExitCode.OK;
        }

        private MessageContent changed(MessageContent old, byte @Nullable [] body) {
            var all = new LinkedHashMap<String, Object>(old.properties());
            all.putAll(properties);
            MessageContent changed = properties.isEmpty() ? old : old.withProperties(all);
            return body == null ? changed : changed.withBody(body);
        }
    }

    @Command(name = "import", description = "Reads what export has written; what is here already is left alone.")
    static final class Import extends MutatingCommand {
        @Parameters(paramLabel = "FILE", description = "The file.")
        @SuppressWarnings("NullAway.Init")
        private Path file;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                var exchange = DeadLetterExchange.in(pool, settings.schema());
                if (isDryRun()) {
                    return tell(exchange.preview(lines));
                }
                output().object(Output.row("file", file, "imported", exchange.importFrom(lines, instruction())));
            }
            return ExitCode.OK;
        }

        private int tell(ImportPreview preview) {
            preview.refused()
                    .forEach(each -> output().warn("Line " + each.line() + " would be refused: " + each.why()));
            output().object(Output.row(
                    "file",
                    file,
                    "lines",
                    preview.lines(),
                    "imported",
                    preview.isPossible() ? preview.imported() : 0,
                    "refused",
                    preview.refused().size() + preview.otherRefused()));
            return preview.isPossible() ? ExitCode.OK : ExitCode.BAD_INPUT;
        }
    }
}
