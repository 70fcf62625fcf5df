package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.log.Logs;
import dev.waybill.standalone.service.RelayService;
import dev.waybill.standalone.tracing.Tracing;
import picocli.CommandLine.Command;

@Command(
        name = "run",
        description = "Publishes until it is told to end (SIGTERM), then settles what is on its way and hands over."
                + " Exit code 0 if that was done in time, 1 if not.")
final class RunCommand extends CliCommand {
    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = configuration();
        Logs.forRun(configuration.process());
        var tracing = new Tracing(configuration.process());
        RelayService service = RelayService.start(configuration, tracing::around);
        // The JVM would end with 143, which platforms report as a failure.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            boolean drained = service.stop();
                            tracing.close();
                            Runtime.getRuntime().halt(drained && !service.isHopeless() ? ExitCode.OK : ExitCode.FAILED);
                        },
                        "waybill-shutdown"));
        service.awaitHopeless();
        return ExitCode.FAILED;
    }
}
