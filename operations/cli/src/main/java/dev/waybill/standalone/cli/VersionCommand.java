package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.ProgramVersion;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Prints the version of the program.")
final class VersionCommand extends CliCommand {
    @Override
    public Integer call() {
        output().object(Output.row("version", ProgramVersion.text(), "java", System.getProperty("java.version")));
        return ExitCode.OK;
    }
}
