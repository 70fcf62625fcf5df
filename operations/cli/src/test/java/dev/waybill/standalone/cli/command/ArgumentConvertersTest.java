package dev.waybill.standalone.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.Commands;
import dev.waybill.standalone.config.ProcessEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Numbers and times of all verbs that cannot be meant. The database does not answer: nothing may depend on it. */
class ArgumentConvertersTest {
    private static final Set<Class<?>> NUMBERS = Set.of(int.class, Integer.class, long.class, Long.class);
    private static final Set<Class<?>> TIMES = Set.of(Duration.class, Instant.class);
    private static final Set<String> LABELS = Set.of("N", "TIME", "BYTES", "VERSION", "RUN");

    private static final List<String> NO_NUMBERS = List.of("-1", "2.5", "99999999999999999999", "");
    private static final List<String> NO_TIMES = List.of("-5s", "5", "9999999d", "2026-13-01T00:00Z");

    @Test
    @Tag("long")
    void a_number_or_time_out_of_range_is_bad_input_of_every_verb_before_the_database_is_asked(
            @TempDir Path directory) {
        Program program = Program.with(directory, """
                database: { main: { url: "jdbc:postgresql://127.0.0.1:1/none" } }
                """);
        var wrong = new ArrayList<String>();
        var tried = new TreeSet<String>();
        forEachVerb("", commandLine(), (path, verb) -> {
            for (ArgSpec argument : verb.getCommandSpec().args()) {
                for (String value : hopeless(argument)) {
                    tried.add(path + " " + name(argument));
                    Result result = program.run(arguments(path, argument, value));
                    if (result.exitCode() != ExitCode.BAD_INPUT || !isClear(result.err(), argument, value)) {
                        wrong.add(path + " " + name(argument) + " '" + value + "': " + result.exitCode() + " "
                                + result.err().lines().findFirst().orElse(""));
                    }
                }
            }
        });

        assertThat(wrong).isEmpty();
        assertThat(tried)
                .hasSizeGreaterThan(30)
                .contains("dlq list --most", "watch --every", "dlq redrive --canary", "dlq pause RUN");
    }

    @Test
    void no_list_shows_more_than_fits_into_memory() {
        var lists = new TreeSet<String>();
        forEachVerb("", commandLine(), (path, verb) -> {
            for (OptionSpec option : verb.getCommandSpec().options()) {
                if (option.longestName().equals("--most")
                        || option.longestName().equals("--limit")) {
                    lists.add(path);
                    assertThat(option.converters())
                            .as(path)
                            .hasAtLeastOneElementOfType(ArgumentConverters.RowLimit.class);
                }
            }
        });

        assertThat(lists)
                .contains(
                        "audit",
                        "dlq groups",
                        "dlq list",
                        "erasures list",
                        "inbox held list",
                        "outbox list",
                        "replay list");
    }

    private static List<String> hopeless(ArgSpec argument) {
        Class<?> type = argument.isMultiValue() ? argument.auxiliaryTypes()[0] : argument.type();
        assertThat(argument.paramLabel())
                .as(name(argument) + " is a number or a time, and is declared as one")
                .satisfies(label -> assertThat(LABELS.contains(label) && type == String.class)
                        .isFalse());
        return NUMBERS.contains(type) ? NO_NUMBERS : TIMES.contains(type) ? NO_TIMES : List.of();
    }

    private static boolean isClear(String err, ArgSpec argument, String value) {
        String first = err.lines().findFirst().orElse("");
        return first.contains(name(argument).replaceFirst("^-+", ""))
                && first.contains("'" + value + "'")
                && !err.contains("Exception");
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String[] arguments(String path, ArgSpec argument, String value) {
        var words = new ArrayList<>(List.of(path.split(" ", -1)));
        if (argument instanceof OptionSpec option) {
            words.add(option.longestName() + "=" + value);
        } else {
            words.add(value);
        }
        return words.toArray(String[]::new);
    }

    private static void forEachVerb(String path, CommandLine command, Visitor visitor) {
        if (command.getCommand() instanceof CliCommand) {
            visitor.visit(path.strip(), command);
        }
        command.getSubcommands().forEach((name, verb) -> forEachVerb(path + " " + name, verb, visitor));
    }

    private static CommandLine commandLine() {
        return Commands.commandLine(new ProcessEnvironment(Map.of(), Map.of()));
    }

    private interface Visitor {
        void visit(String path, CommandLine verb);
    }
}
