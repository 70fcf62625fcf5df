package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.BodyOptions;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.message.BodyText;
import dev.waybill.standalone.message.LetterBody;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description =
                "Shows one with its properties, what was changed, and what was done to it; its body only if asked.")
final class DlqShow extends DatabaseCommand {
    @Parameters(paramLabel = "ID", converter = ArgumentConverters.NonNegativeLong.class, description = "Its number.")
    private long id;

    @Mixin
    private BodyOptions body = new BodyOptions();

    @Override
    public void check() {
        body.check();
    }

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) throws SQLException {
        DeadLetters deadLetters = DeadLetters.in(pool, settings.schema());
        DeadLetter letter =
                deadLetters.show(id).orElseThrow(() -> new NoSuchElementException("There is no dead letter " + id));
        Map<String, Object> row = DeadLetterTables.of(letter);
        letter.content().properties().forEach((name, value) -> row.put("property " + name, String.valueOf(value)));
        List<Map<String, Object>> changes =
                deadLetters.diff(id).stream().map(DeadLetterTables::of).toList();
        List<Map<String, Object>> history =
                deadLetters.history(id).stream().map(DeadLetterTables::of).toList();
        if (output().isJson()) {
            Map<String, Object> all = Output.row("deadLetter", row, "changes", changes, "history", history);
            if (body.isShown()) {
                BodyText shown = shown(settings, pool, letter);
                all.put("body", BodyOptions.json(shown, missing(settings, pool, letter, shown)));
            }
            output().object(all);
        } else {
            print(row, changes, history);
            printBody(settings, pool, letter);
        }
        return ExitCode.OK;
    }

    private void print(Map<String, Object> row, List<Map<String, Object>> changes, List<Map<String, Object>> history) {
        output().object(row);
        output().say("");
        output().table(changes, "It says what it said when it came.");
        output().say("");
        output().table(history, "Nobody has touched it.");
    }

    private void printBody(DatabaseSettings settings, DataSource pool, DeadLetter letter) throws SQLException {
        if (body.isShown()) {
            output().say("");
            BodyText shown = shown(settings, pool, letter);
            missing(settings, pool, letter, shown)
                    .ifPresentOrElse(output()::say, () -> shown.lines().forEach(output()::say));
        }
    }

    private static Optional<String> missing(
            DatabaseSettings settings, DataSource pool, DeadLetter letter, BodyText shown) {
        return LetterBody.missing(letter)
                .or(() -> LetterBody.missing(pool, settings.schema(), letter.content(), shown));
    }

    private BodyText shown(DatabaseSettings settings, DataSource pool, DeadLetter letter) throws SQLException {
        return LetterBody.read(pool, settings.schema(), letter.content(), body.limit());
    }
}
