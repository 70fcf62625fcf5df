package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An example in another language, run in a copy below {@code target} by the programs of this machine. */
@SuppressWarnings("ImmutableEnumChecker") // The lists are of List.of.
enum ForeignLanguage {
    JAVASCRIPT(
            "npm install --no-audit --no-fund --fetch-retries=0 --fetch-timeout=20000",
            List.of("node", "index.mjs"),
            List.of("node", "--input-type=module", "-e", """
                    import { idOf } from "./inbox.mjs";
                    const all = JSON.parse(process.argv[1]);
                    const id = (one) => idOf({ messageId: one.messageId, applicationProperties: { "waybill-id": one.property } });
                    console.log(JSON.stringify(all.map(id)));
                    """)),

    /** Nothing is installed: there must be a client that speaks AMQP without TLS. */
    PYTHON(
            "python3 -c 'import psycopg; from azure.servicebus import __version__ as v;"
                    + " assert tuple(map(int, v.split(\".\")[:2])) >= (7, 12), v'",
            List.of("python3", "inbox.py"),
            List.of("python3", "-c", """
                    import inbox, json, sys, types
                    def id_of(one):
                        properties = {b"waybill-id": one["property"].encode()}
                        return inbox.id_of(types.SimpleNamespace(message_id=one["messageId"], application_properties=properties))
                    print(json.dumps([id_of(one) for one in json.loads(sys.argv[1])]))
                    """));

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String preparation;
    private final List<String> service;
    private final List<String> ids;

    ForeignLanguage(String preparation, List<String> service, List<String> ids) {
        this.preparation = preparation;
        this.service = service;
        this.ids = ids;
    }

    /** Skips the test if the language, or the network for its packages, is not there. */
    Path install() throws Exception {
        String name = name().toLowerCase(Locale.ROOT);
        Path directory = Files.createDirectories(Path.of("target", name));
        try (Stream<Path> files = Files.list(Path.of("../examples", name))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, directory.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        try (var program = new Program(directory, List.of("sh", "-c", preparation), null, null)) {
            if (!program.process.waitFor(120, TimeUnit.SECONDS) || program.process.exitValue() != 0) {
                String skipped = "skipped for " + name + ": " + lastLine(program.output());
                System.out.println(skipped);
                abort(skipped);
            }
        }
        return directory;
    }

    private static String lastLine(String text) {
        return text.strip().substring(text.strip().lastIndexOf('\n') + 1);
    }

    Program start(Path directory, String database, String connectionString) throws IOException {
        return new Program(directory, service, database, connectionString);
    }

    List<String> idsOf(Path directory, List<?> messages) throws Exception {
        var command = new ArrayList<>(ids);
        command.add(JSON.writeValueAsString(messages));
        try (var program = new Program(directory, command, null, null)) {
            assertThat(program.process.waitFor()).as(program.output()).isZero();
            return List.of(JSON.readValue(program.output(), String[].class));
        }
    }

    static final class Program implements AutoCloseable {
        private final Process process;
        private final Path output;

        Program(Path directory, List<String> command, @Nullable String database, @Nullable String connectionString)
                throws IOException {
            output = Files.createTempFile(directory.toAbsolutePath(), "output", ".txt");
            var builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            if (database != null && connectionString != null) {
                builder.environment().put("DATABASE", database);
                builder.environment().put("SERVICE_BUS", connectionString);
            }
            process = builder.start();
        }

        boolean isAlive() {
            return process.isAlive();
        }

        void kill() {
            process.destroyForcibly();
        }

        String output() throws IOException {
            return Files.readString(output);
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly();
            Files.delete(output);
        }
    }
}
