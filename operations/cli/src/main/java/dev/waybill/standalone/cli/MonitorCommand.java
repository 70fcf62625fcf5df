package dev.waybill.standalone.cli;

import dev.waybill.deadletter.monitor.AlertSink;
import dev.waybill.deadletter.monitor.DeadLetterMonitor;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "monitor",
        description =
                "Takes one look at dead letters and collectors, as the monitor of an application does, and shows what"
                        + " would alert now, and from when on. Exit code 10 if anything would.")
final class MonitorCommand extends DatabaseCommand {
    private static final DeadLetterMonitor.Thresholds USUAL = DeadLetterMonitor.Thresholds.DEFAULT;

    @Option(
            names = "--depth",
            converter = ArgumentConverters.NonNegativeLong.class,
            paramLabel = "N",
            description = "So many open ones of an entity and reason (1).")
    private @Nullable Long depth;

    @Option(
            names = "--age",
            converter = ArgumentConverters.AnyDuration.class,
            paramLabel = "TIME",
            description = "One that has been here for so long (1d).")
    private @Nullable Duration age;

    @Option(
            names = "--arrivals",
            converter = ArgumentConverters.NonNegativeLong.class,
            paramLabel = "N",
            description = "So many of an entity and reason in a minute (10).")
    private @Nullable Long arrivals;

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) {
        var alerts = new ArrayList<AlertSink.Alert>();
        DeadLetterMonitor.Thresholds thresholds = thresholds();
        DeadLetterMonitor.of(pool, settings.schema(), thresholds, List.of(alerts::add), List.of())
                .check();
        List<Map<String, Object>> rows =
                alerts.stream().map(MonitorCommand::row).toList();
        Map<String, Object> limits = Output.row(
                "depth", thresholds.depth(),
                "age", Times.text(thresholds.age()),
                "arrivalsPerMinute", thresholds.arrivals());
        if (output().isJson()) {
            output().object(Output.row("thresholds", limits, "alerts", rows));
        } else {
            output().object(limits);
            output().say("");
            output().table(rows, "Nothing would alert now.");
        }
        return rows.isEmpty() ? ExitCode.OK : ExitCode.WARNINGS;
    }

    private DeadLetterMonitor.Thresholds thresholds() {
        return new DeadLetterMonitor.Thresholds(
                depth == null ? USUAL.depth() : depth,
                age == null ? USUAL.age() : age,
                arrivals == null ? USUAL.arrivals() : arrivals,
                USUAL.quiet());
    }

    private static Map<String, Object> row(AlertSink.Alert alert) {
        return Output.row(
                "alert", alert.kind().name().toLowerCase(Locale.ROOT),
                "entity", alert.entity(),
                "because", Optional.ofNullable(alert.reason()),
                "value", alert.value() < 0 ? Optional.empty() : Optional.of(Math.round(alert.value())),
                "text", alert.text());
    }
}
