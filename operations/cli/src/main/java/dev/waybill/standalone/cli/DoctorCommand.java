package dev.waybill.standalone.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.NextStep;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.doctor.Doctor;
import dev.waybill.standalone.doctor.Finding;
import dev.waybill.standalone.doctor.Finding.Severity;
import dev.waybill.standalone.servicebus.Bus;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = "Looks for what pages people: in the entities, the outbox's rows, the tables and the clock."
                + " Changes nothing. Exit code 0 if nothing was found, 10 with warnings or what cannot be verified, 20 with"
                + " errors, 5 if a database or namespace does not answer.")
final class DoctorCommand extends CliCommand {
    @Override
    public Integer call() {
        Configuration configuration = configuration();
        if (configuration.databases().isEmpty() && configuration.namespaces().isEmpty()) {
            throw new ConfigException("Neither a database nor a namespace is configured, and nothing can be examined. "
                    + NextStep.configuration());
        }
        var pools = new HashMap<DatabaseSettings, HikariDataSource>();
        try {
            configuration.databases().forEach(database -> pools.put(database, Pools.forCommand(database)));
            List<Finding> findings = Doctor.examine(
                    configuration, namespace -> new Bus(namespace).entities(), pools::get, InstantSource.system());
            print(findings);
            return code(findings);
        } finally {
            pools.values().forEach(HikariDataSource::close);
        }
    }

    private void print(List<Finding> findings) {
        Output output = output();
        if (output.isJson()) {
            output.table(findings.stream().map(DoctorCommand::row).toList(), "");
            return;
        }
        for (Finding finding : findings) {
            output.say(label(finding.severity()).toUpperCase(Locale.ROOT) + " "
                    + finding.mistake().number() + " " + finding.mistake().label() + " at " + finding.where());
            output.say("  evidence: " + finding.evidence());
            output.say("  why:      " + finding.why());
            output.say("  fix:      " + finding.fix());
            output.say("");
        }
        output.say(summary(findings.size()));
    }

    private static String summary(int findings) {
        return switch (findings) {
            case 0 -> "Nothing was found.";
            case 1 -> "1 finding";
            default -> findings + " findings";
        };
    }

    private static Map<String, Object> row(Finding finding) {
        return Output.row(
                "number", finding.mistake().number(),
                "mistake", finding.mistake().label(),
                "severity", label(finding.severity()),
                "where", finding.where(),
                "evidence", finding.evidence(),
                "why", finding.why(),
                "fix", finding.fix());
    }

    private static String label(Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    private static int code(List<Finding> findings) {
        if (findings.stream().anyMatch(finding -> finding.mistake().isAway())) {
            return ExitCode.UNREACHABLE;
        }
        if (findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR)) {
            return ExitCode.ERRORS;
        }
        return findings.isEmpty() ? ExitCode.OK : ExitCode.WARNINGS;
    }
}
