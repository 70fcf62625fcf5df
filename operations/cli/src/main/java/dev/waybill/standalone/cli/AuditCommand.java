package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.ListOptions;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.AuditReader;
import dev.waybill.standalone.database.AuditReader.Entry;
import java.time.Instant;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "audit",
        description =
                "Lists what operators did, when and why, the newest first: to holds and dead letters, replays, orders to"
                        + " forget, and pauses that still stand.")
final class AuditCommand extends DatabaseCommand {
    @Option(
            names = "--since",
            converter = ArgumentConverters.PastTime.class,
            paramLabel = "TIME",
            description = "Then or later: 2026-03-01, 2026-03-01 06:00, or 2h for two hours ago.")
    private @Nullable Instant since;

    @Option(
            names = "--until",
            converter = ArgumentConverters.PointInTime.class,
            paramLabel = "TIME",
            description = "Before; in the same forms.")
    private @Nullable Instant until;

    @Option(
            names = {"--operator", "--by"},
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "NAME",
            description = "By this person.")
    private @Nullable String operator;

    @Option(
            names = "--action",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "WORD",
            description = "Such as release, skip, edit, redrive, discard, redact, erase, pause, replay.")
    private @Nullable String action;

    @Option(
            names = "--subject",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "TEXT",
            description = "With this in what it was done to.")
    private @Nullable String subject;

    @Mixin
    private ListOptions part = new ListOptions();

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) {
        var audit = new AuditReader(pool, settings.schema());
        var choice = new AuditReader.Choice(
                Optional.ofNullable(since),
                Optional.ofNullable(until),
                Optional.ofNullable(operator),
                Optional.ofNullable(action).map(word -> known(word, audit.actions())),
                Optional.ofNullable(subject));
        part.print(output(), audit.newest(choice, part.most()).map(AuditCommand::row), "Nothing was done.");
        return ExitCode.OK;
    }

    // A misspelt word would be answered with "Nothing was done".
    private static String known(String word, Set<String> actions) {
        return actions.stream()
                .filter(word::equalsIgnoreCase)
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("The audit has no action '" + word + "'"
                        + (actions.isEmpty() ? "" : "; it has " + String.join(", ", actions))));
    }

    private static Map<String, Object> row(Entry deed) {
        return Output.row(
                "at", deed.at(),
                "action", deed.action(),
                "subject", deed.subject(),
                "operator", deed.word().operator(),
                "reason", deed.word().reason(),
                "databaseUser", deed.word().databaseUser());
    }
}
