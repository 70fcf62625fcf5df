package dev.waybill.standalone.cli.status;

import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.OverviewReader;
import javax.sql.DataSource;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description = "Says who publishes and how fast, what waits and for how long still, what is held or dead, who"
                + " collects and consumes, and what is wrong; from the database alone."
                + " Exit code 10 with a warning, 20 if nothing is published.")
public final class StatusCommand extends DatabaseCommand {
    @Override
    protected int run(DatabaseSettings settings, DataSource pool) {
        Overview overview = new OverviewReader(settings.name(), pool, settings.schema()).read();
        new StatusPrinter(output()).print(overview);
        return StatusPrinter.code(overview);
    }
}
