package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetterExchange;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.deadletter.ImportPreview;
import dev.waybill.message.MessageContent;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.ContentEdit;
import dev.waybill.standalone.cli.command.Documents;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

        @Mixin
        private ContentEdit edit = new ContentEdit();

        @Override
        protected void checkArguments() {
            edit.check();
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            DeadLetters deadLetters = DeadLetters.in(pool, settings.schema());
            UnaryOperator<MessageContent> change = edit.read();
            List<FieldChange> changes =
                    isDryRun() ? deadLetters.preview(id, change) : deadLetters.edit(id, change, instruction());
            output().table(changes.stream().map(DeadLetterTables::of).toList(), "Nothing differs.");
            return ExitCode.OK;
        }
    }

    @Command(name = "import", description = "Reads what export has written; what is here already is left alone.")
    static final class Import extends MutatingCommand {
        @Parameters(paramLabel = "FILE", description = "The file; - is standard input.")
        @SuppressWarnings("NullAway.Init")
        private Path file;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            try (BufferedReader lines = Documents.lines(file)) {
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
