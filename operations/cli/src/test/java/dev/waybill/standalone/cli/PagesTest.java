package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.monitor.AlertSink;
import dev.waybill.standalone.ConsolePage;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.doctor.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The pages name no verb and no option that does not exist, and there is a runbook for every alarm. */
class PagesTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path RUNBOOKS = ROOT.resolve("docs/operations/runbooks");
    private static final Pattern INLINE = Pattern.compile("`waybill-relay ([^`…]+)`");
    private static final Pattern VERB = Pattern.compile(
            "`(outbox|inbox|dlq|relay|replay|migrate|topology|erasures|grants|config|lab) ([a-z-]+)[^`]*`");
    private static final Pattern ALARM = Pattern.compile("select '([a-z-]+)'(?: as alarm)?, '(?:critical|warning)'");

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** A line of the log or an error begins like a sentence and has three words in a row. */
    private static final Predicate<String> LINE =
            Pattern.compile("[A-Z'…].*[a-z]{2,} [a-z]{2,} [a-z]{2,}.*").asMatchPredicate();

    /** What differs from line to line, and where the program puts two texts together. */
    private static final Pattern VARIABLE =
            Pattern.compile("…|(?:database |relay )?'[^']*'|\\d+(?:\\.\\d+)?|; | after ");

    /** Texts of PostgreSQL and of the operating system. */
    private static final Set<String> OF_OTHERS =
            Set.of("too many connections", "No space left on device", "Cannot process the disposition request");

    @Test
    void every_command_of_every_page_is_one_that_the_program_takes() throws IOException {
        CommandLine line = commandLine();
        var wrong = new ArrayList<String>();
        int commands = 0;
        for (Path page : pages()) {
            for (ConsolePage.Step step : ConsolePage.steps(page)) {
                commands++;
                check(line, page, step.command(), wrong);
            }
            for (String inline : found(INLINE, page, 1)) {
                check(line, page, inline, wrong);
            }
        }

        assertThat(commands).isGreaterThan(60);
        assertThat(wrong).isEmpty();
    }

    @Test
    void every_verb_that_a_page_mentions_exists() throws IOException {
        CommandLine line = commandLine();
        var wrong = new TreeSet<String>();
        for (Path page : pages()) {
            VERB.matcher(Files.readString(page))
                    .results()
                    .filter(verb -> !isThere(line, verb.group(1), verb.group(2)))
                    .forEach(verb -> wrong.add(page + ": " + verb.group()));
        }

        assertThat(wrong).isEmpty();
    }

    private static boolean isThere(CommandLine line, String group, String verb) {
        @Nullable CommandLine found = line.getSubcommands().get(group);
        return found != null && found.getSubcommands().containsKey(verb);
    }

    @Test
    void every_alarm_has_a_runbook_that_says_when_it_is_over_and_what_not_to_do() throws IOException {
        var names = new TreeSet<>(
                List.of("unavailable", "throttled", "database", "consumer-unhealthy", "consumer-deferrals"));
        names.addAll(alarms());
        Arrays.stream(AlertSink.Alert.Kind.values())
                .filter(kind -> kind != AlertSink.Alert.Kind.SUMMARY)
                .map(kind -> "dead-letters-" + kind.name().toLowerCase(Locale.ROOT))
                .forEach(names::add);
        names.addAll(List.of(
                "broker-away",
                "database-away",
                "database-promoted",
                "restore",
                "poison-message",
                "stuck-session",
                "disk-full",
                "credentials-rotated",
                "namespace-lost",
                "rollback"));

        String index = Files.readString(RUNBOOKS.resolve("README.md"));
        for (String name : names) {
            assertThat(RUNBOOKS.resolve(name + ".md"))
                    .exists()
                    .content()
                    .contains("**Shows as.**", "**Check.**", "**Do.**", "**Over when.**", "**Do not**");
            assertThat(index).contains("(" + name + ".md)");
        }
    }

    @Test
    void every_line_that_a_page_quotes_is_one_of_the_sources() throws IOException {
        String sources = sources();
        var wrong = new TreeSet<String>();
        int constants = 0;
        for (Path page : pages()) {
            String prose = Files.readString(page).replaceAll("(?ms)^```.*?^```", "");
            for (String line : quotedLines(prose)) {
                for (String constant : VARIABLE.split(line, -1)) {
                    String text = constant.replaceAll("^[ ,.:()]+|[ ,.:()]+$", "");
                    constants++;
                    if (!sources.contains(text) && !OF_OTHERS.contains(text)) {
                        wrong.add(page + ": " + text);
                    }
                }
            }
        }

        assertThat(constants).isGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    @Test
    void the_page_of_the_doctor_lists_each_mistake_by_its_number_and_name() throws IOException {
        assertThat(found(
                        Pattern.compile("(?m)^\\| (\\d+ \\| `[a-z-]+`) \\|"),
                        ROOT.resolve("docs/operations/doctor.md"),
                        1))
                .containsExactlyElementsOf(Arrays.stream(Diagnosis.values())
                        .map(mistake -> mistake.number() + " | `" + mistake.label() + "`")
                        .toList());
    }

    private static List<String> quotedLines(String prose) {
        return QUOTED.matcher(prose)
                .results()
                .map(quoted -> quoted.group(1).replaceAll("\\s+", " "))
                .filter(LINE)
                .toList();
    }

    /** The code as one line, each text in one piece. */
    private static String sources() throws IOException {
        var sources = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(path -> path.toString().contains("/src/main/")
                            && (path.toString().endsWith(".java")
                                    || path.toString().endsWith(".sql")))
                    .toList()) {
                sources.append(Files.readString(file)).append('\n');
            }
        }
        return sources.toString().replaceAll("\"\\s*\\+\\s*\"", "").replaceAll("\\s+", " ");
    }

    private static Set<String> alarms() throws IOException {
        var alarms = new TreeSet<String>();
        try (Stream<Path> scripts =
                Files.walk(ROOT.resolve("migrations/src/main/resources/dev/waybill/migrations/sql"))) {
            for (Path script :
                    scripts.filter(path -> path.toString().endsWith(".sql")).toList()) {
                alarms.addAll(found(ALARM, script, 1));
            }
        }
        assertThat(alarms).contains("no-relay", "stalled", "parked");
        return alarms;
    }

    private static void check(CommandLine line, Path page, String command, List<String> wrong) {
        try {
            ParseResult result = line.parseArgs(ConsolePage.words(command));
            while (result.hasSubcommand()) {
                result = result.subcommand();
            }
            if (result.commandSpec().userObject() instanceof DatabaseCommand verb && !result.isUsageHelpRequested()) {
                verb.check();
            }
        } catch (ParameterException | IllegalArgumentException e) {
            wrong.add(page + ": " + command + ": " + e.getMessage());
        }
    }

    private static CommandLine commandLine() {
        return Commands.commandLine(new ProcessEnvironment(Map.of(), Map.of()));
    }

    private static List<String> found(Pattern pattern, Path file, int group) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(result -> result.group(group))
                .toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT.resolve("docs"))) {
            Stream<Path> pages = paths.filter(path -> path.toString().endsWith(".md"));
            return Stream.concat(pages, Stream.of(ROOT.resolve("README.md"))).toList();
        }
    }
}
