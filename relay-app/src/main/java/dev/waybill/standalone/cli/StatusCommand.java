package dev.waybill.standalone.cli;

import dev.waybill.schema.SchemaVersion;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.RelayView;
import dev.waybill.standalone.database.Status;
import dev.waybill.standalone.database.StatusReader;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description = "Says who publishes, what waits, what is held, and what is wrong; from the database alone."
                + " Exit code 10 with a warning, 20 if nothing is published.")
final class StatusCommand extends DatabaseCommand {
    @Override
    int run(DatabaseSettings settings, DataSource pool) {
        SchemaVersion.require(DSL.using(pool, SQLDialect.POSTGRES), settings.schema());
        Status status = new StatusReader(settings.name(), pool, settings.schema()).read();
        Output output = output();
        if (output.isJson()) {
            output.object(Output.row(
                    "database", status.database(),
                    "working", status.isWorking(),
                    "relays", status.relays().stream().map(StatusCommand::row).toList(),
                    "destinations",
                            status.destinations().stream()
                                    .map(StatusCommand::row)
                                    .toList(),
                    "scheduled", status.scheduled(),
                    "alarms", status.alarms().stream().map(StatusCommand::row).toList()));
        } else {
            print(output, status);
        }
        return code(status);
    }

    private static int code(Status status) {
        if (status.alarms().stream().anyMatch(Alarm::isCritical)) {
            return ExitCode.ERRORS;
        }
        return status.alarms().isEmpty() ? ExitCode.OK : ExitCode.WARNINGS;
    }

    private static void print(Output output, Status status) {
        output.table(status.relays().stream().map(StatusCommand::row).toList(), "No relay has been here for an hour.");
        output.say("");
        output.table(status.destinations().stream().map(StatusCommand::row).toList(), "No destination has messages.");
        output.say("");
        output.say(status.scheduled() + " messages wait for their time");
        output.say("");
        output.table(status.alarms().stream().map(StatusCommand::row).toList(), "All is well.");
    }

    private static Map<String, Object> row(RelayView relay) {
        return Output.row(
                "relay",
                relay.name(),
                "alive",
                relay.alive(),
                "lanes",
                relay.lanes(),
                "startedAt",
                relay.startedAt(),
                "aliveUntil",
                relay.aliveUntil());
    }

    private static Map<String, Object> row(DestinationView destination) {
        return Output.row(
                "destination", destination.name(),
                "pending", destination.pending(),
                "oldestSeconds", Math.round(destination.oldestAgeSeconds()),
                "holds", destination.held().sessions(),
                "heldMessages", destination.held().messages(),
                "paused", destination.paused(),
                "refused", destination.refused());
    }

    private static Map<String, Object> row(Alarm alarm) {
        return Output.row(
                "alarm",
                alarm.name(),
                "severity",
                alarm.severity(),
                "destination",
                alarm.destination(),
                "detail",
                alarm.detail());
    }
}
