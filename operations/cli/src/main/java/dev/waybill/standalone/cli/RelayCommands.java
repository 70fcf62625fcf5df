package dev.waybill.standalone.cli;

import dev.waybill.relay.Destinations;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.KnownDestinations;
import dev.waybill.standalone.topology.DestinationMove;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "relay",
        mixinStandardHelpOptions = true,
        description = "Destinations, for all relays at once.",
        subcommands = {RelayCommands.Pause.class, RelayCommands.Resume.class})
final class RelayCommands {
    @Command(name = "pause", description = "Lets the messages of a destination wait.")
    static final class Pause extends MutatingCommand {
        @Parameters(paramLabel = "DESTINATION", description = "The destination.")
        @SuppressWarnings("NullAway.Init")
        private String destination;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            KnownDestinations.require(destination, settings, pool);
            if (!isDryRun()) {
                Destinations.of(pool, settings.schema()).pause(destination, instruction());
            }
            output().object(Output.row("destination", destination, "paused", true, "dryRun", isDryRun()));
            return ExitCode.OK;
        }
    }

    @Command(name = "resume", description = "Lets them go on.")
    static final class Resume extends MutatingCommand {
        @Parameters(paramLabel = "DESTINATION", description = "The destination.")
        @SuppressWarnings("NullAway.Init")
        private String destination;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Destinations destinations = Destinations.of(pool, settings.schema());
            boolean was = isDryRun()
                    ? destinations.pauseOf(destination).isPresent()
                    : destinations.resume(destination, instruction());
            DestinationMove.of(pool, settings.schema(), destination)
                    .state()
                    .flatMap(DestinationMove.State::move)
                    .filter(DestinationMove.Move::withheld)
                    .ifPresent(move -> warn("'" + destination + "' moves to '" + move.to()
                            + "' and sends nothing until then: topology migrate " + destination
                            + " --abort gives that up"));
            if (!was) {
                KnownDestinations.require(destination, settings, pool);
                warn("'" + destination + "' is not paused: there is nothing to resume. 'waybill-relay status' says why"
                        + " messages wait");
            }
            output().object(Output.row(
                    "destination", destination, "paused", isDryRun() && was, "wasPaused", was, "dryRun", isDryRun()));
            return was ? ExitCode.OK : ExitCode.NOT_FOUND;
        }
    }
}
