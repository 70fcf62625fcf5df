package dev.waybill.standalone.cli;

import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.AuditReader;
import dev.waybill.standalone.database.AuditReader.Deed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "audit",
        description =
                "Lists what operators did, when and why, the newest first: to holds and dead letters, replays, orders to"
                        + " forget, and pauses that still stand.")
final class AuditCommand extends DatabaseCommand {
    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Then or later: 2026-03-01T06:00:00Z, or 2h for two hours ago.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Before; in the same forms.")
    private @Nullable String until;

    @Option(
            names = {"--operator", "--by"},
            paramLabel = "NAME",
            description = "By this person.")
    private @Nullable String operator;

    @Option(
            names = "--action",
            paramLabel = "WORD",
            description = "Such as release, skip, edit, redrive, discard, redact, erase, pause, replay.")
    private @Nullable String action;

    @Option(names = "--most", defaultValue = "50", paramLabel = "N", description = "How many (50).")
    private int most;

    @Override
    void check() {
        choice();
    }

    @Override
    int run(DatabaseSettings settings, DataSource pool) {
        List<Map<String, Object>> rows = new AuditReader(pool, settings.schema())
                .newest(choice(), most).stream().map(AuditCommand::row).toList();
        output().table(rows, "Nothing was done.");
        return ExitCode.OK;
    }

    private AuditReader.Choice choice() {
        return new AuditReader.Choice(
                Moments.parse("--since", since),
                Moments.parse("--until", until),
                Optional.ofNullable(operator),
                Optional.ofNullable(action));
    }

    private static Map<String, Object> row(Deed deed) {
        return Output.row(
                "at", deed.at(),
                "action", deed.action(),
                "subject", deed.subject(),
                "operator", deed.word().operator(),
                "reason", deed.word().reason(),
                "databaseUser", deed.word().databaseUser());
    }
}
