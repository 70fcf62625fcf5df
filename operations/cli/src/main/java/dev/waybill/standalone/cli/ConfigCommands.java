package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.Setting;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = "The options that the program was given.",
        subcommands = ConfigCommands.Print.class)
final class ConfigCommands {
    @Command(name = "print", description = "Prints every option, its value and where that comes from.")
    static final class Print extends CliCommand {
        @Option(names = "--redacted", description = "No effect: secrets are never printed.")
        @SuppressWarnings("unused")
        private boolean redacted;

        @Option(names = "--given", description = "Only what is not a default.")
        private boolean given;

        @Override
        public Integer call() {
            List<Map<String, Object>> rows = configuration().print().stream()
                    .filter(setting -> !given || !setting.origin().equals("default"))
                    .map(Print::row)
                    .toList();
            output().table(rows, "Nothing was given.");
            return ExitCode.OK;
        }

        private static Map<String, Object> row(Setting setting) {
            return Output.row("option", setting.key(), "value", setting.value(), "origin", setting.origin());
        }
    }
}
