package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.config.ProcessEnvironment;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The table of exit codes that scripts trust. */
@ExtendWith(PostgresExtension.class)
@Timeout(240)
class ExitCodesTest {
    private static final String BROKER = """
            namespace:
              main:
                connection-string: "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=k;SharedAccessKey=s;UseDevelopmentEmulator=true"
                administration-endpoint: "http://127.0.0.1:1"
            destination: { orders: {} }
            http: { port: 1 }
            """;

    @TempDir
    private Path directory;

    private final Map<Integer, List<String>> examples = examples();

    @Test
    void the_examples_of_the_table_end_with_their_codes(TestDatabase database) {
        Migrations.of(database.dataSource(), new SchemaName(database.schema()))
                .apply(Feature.OUTBOX, Feature.INBOX, Feature.DEAD_LETTERS);
        Program program = Program.with(directory, Program.database(database) + BROKER);

        examples.forEach((code, lines) -> {
            if (code != ExitCode.UNREACHABLE) {
                lines.forEach(line -> expect(program, line, code));
            }
        });
        assertThat(examples).containsKeys(0, 1, 2, 3, 5, 6, 10);
    }

    @Test
    void a_database_or_broker_that_is_away_is_code_5_of_every_verb() {
        Program program = Program.with(
                directory, "database: { main: { url: \"jdbc:postgresql://127.0.0.1:1/none\" } }\n" + BROKER);

        List<String> verbs = new ArrayList<>(examples.getOrDefault(ExitCode.UNREACHABLE, List.of()));
        verbs.addAll(List.of(
                "trace m1",
                "audit",
                "monitor",
                "inbox check",
                "dlq list",
                "replay list",
                "migrate up",
                "migrate status",
                "erasures list",
                "dlq export -"));
        // Each waits for the database for seconds: all at once.
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<Void>> ended = verbs.stream()
                    .map(line -> CompletableFuture.runAsync(() -> expect(program, line, ExitCode.UNREACHABLE), threads))
                    .toList();
            ended.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void a_broker_that_is_away_while_the_database_answers_is_code_5_and_no_empty_queue(TestDatabase database) {
        Program.tables(database);
        Program program = Program.with(directory, Program.database(database) + BROKER);

        for (String line : List.of("doctor", "lab peek orders", "lab receive orders --session s", "topology plan")) {
            Result result = expect(program, line, ExitCode.UNREACHABLE);
            assertThat(result.out()).as(line).doesNotContain("There are no messages");
        }
    }

    @Test
    void each_code_is_in_the_table() throws Exception {
        var inCode = new TreeSet<Integer>();
        for (Field field : ExitCode.class.getFields()) {
            inCode.add(field.getInt(null));
        }
        String table = page();

        assertThat(inCode).allSatisfy(code -> assertThat(table).containsPattern("(?m)^\\| (10, )?" + code + "\\b"));
    }

    private static Result expect(Program program, String line, int code) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        if (isChange(words)) {
            words.addAll(List.of("--reason", "r"));
        }
        Result result = program.run(words.toArray(String[]::new));
        assertThat(result.exitCode())
                .as(line + ": " + result.out() + result.err())
                .isEqualTo(code);
        assertThat(result.err()).as(line).doesNotContain("Exception").doesNotContain("\tat ");
        return result;
    }

    private static boolean isChange(List<String> words) {
        CommandLine verb = Commands.commandLine(new ProcessEnvironment(Map.of(), Map.of()));
        for (String word : words) {
            verb = verb.getSubcommands().getOrDefault(word, verb);
        }
        return verb.getCommandSpec().findOption("--reason") != null;
    }

    private static Map<Integer, List<String>> examples() {
        var found = new TreeMap<Integer, List<String>>();
        Matcher row =
                Pattern.compile("(?m)^\\| (\\d+)[^|]*\\|[^|]*\\|([^|]*)\\|$").matcher(page());
        while (row.find()) {
            Pattern.compile("`([^`]+)`")
                    .matcher(row.group(2))
                    .results()
                    .forEach(example -> found.computeIfAbsent(Integer.parseInt(row.group(1)), code -> new ArrayList<>())
                            .add(example.group(1)));
        }
        return found;
    }

    private static String page() {
        try {
            String page = Files.readString(Path.of("../../docs/operations/commands.md"));
            return page.substring(page.indexOf("## Exit codes"), page.indexOf("## Columns"));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
