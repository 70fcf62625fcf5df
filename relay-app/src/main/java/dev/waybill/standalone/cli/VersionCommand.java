package dev.waybill.standalone.cli;

import dev.waybill.schema.SchemaVersion;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Prints the version of the program and of the tables it needs.")
final class VersionCommand extends CliCommand {
    @Override
    public Integer call() throws IOException {
        output().object(Output.row(
                "version",
                Version.text(),
                "tables",
                SchemaVersion.CURRENT,
                "java",
                System.getProperty("java.version")));
        return ExitCode.OK;
    }
}
