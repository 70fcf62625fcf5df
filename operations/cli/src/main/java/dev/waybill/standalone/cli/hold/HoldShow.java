package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.Holds;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.BodyOptions;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.message.BodyText;
import dev.waybill.standalone.message.LetterBody;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(name = "show", description = "Shows a hold with its messages and its history; bodies only if asked.")
final class HoldShow extends DatabaseCommand {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private HoldCommands group;

    @Mixin
    private HoldChoice choice = new HoldChoice();

    @Option(
            names = "--most",
            defaultValue = "20",
            converter = ArgumentConverters.RowLimit.class,
            paramLabel = "N",
            description = "How many messages (20).")
    private int most;

    @Mixin
    private BodyOptions body = new BodyOptions();

    @Override
    public void check() {
        choice.check();
        body.check();
    }

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) throws SQLException {
        Holds holds = group.holds(settings, pool);
        Hold found = choice.in(holds, group.side());
        HoldKey key = found.key();
        Map<String, Object> hold = HoldRows.of(found);
        List<HeldMessage> held = holds.messages(key, most);
        List<Map<String, Object>> messages = new ArrayList<>();
        for (HeldMessage message : held) {
            Map<String, Object> row = HoldRows.of(message);
            if (body.isShown() && output().isJson()) {
                BodyText shown = shown(settings, pool, message);
                row.put("body", BodyOptions.json(shown, missing(settings, pool, message, shown)));
            }
            messages.add(row);
        }
        List<Map<String, Object>> history =
                holds.history(key).stream().map(HoldRows::of).toList();
        Output output = output();
        if (output.isJson()) {
            output.object(Output.row("hold", hold, "messages", messages, "history", history));
            return ExitCode.OK;
        }
        output.object(hold);
        output.say("");
        output.table(messages, "It has no messages.");
        output.say("");
        output.table(history, "Nobody has touched it.");
        if (body.isShown()) {
            for (HeldMessage message : held) {
                printBody(settings, pool, message);
            }
        }
        return ExitCode.OK;
    }

    private void printBody(DatabaseSettings settings, DataSource pool, HeldMessage message) throws SQLException {
        BodyText shown = shown(settings, pool, message);
        output().say("");
        output().say("place " + message.place() + ", "
                + BodyText.escaped(message.content().messageId()));
        missing(settings, pool, message, shown).ifPresent(output()::say);
        shown.lines().forEach(output()::say);
    }

    private static Optional<String> missing(
            DatabaseSettings settings, DataSource pool, HeldMessage message, BodyText shown) {
        return LetterBody.missing(pool, settings.schema(), message.content(), shown);
    }

    private BodyText shown(DatabaseSettings settings, DataSource pool, HeldMessage message) throws SQLException {
        return LetterBody.read(pool, settings.schema(), message.content(), body.limit());
    }
}
