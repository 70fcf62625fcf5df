package dev.waybill.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.cli.Commands;
import dev.waybill.standalone.config.ProcessEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The program as an operator runs it: all that a test can see is what it prints and returns. A command that ends runs in
 * the test's JVM unless the test asks for a process, because a JVM takes longer to start than most commands take.
 */
public final class Program {
    private final Path directory;
    private final Path config;
    private final String classPath;

    private Program(Path directory, Path config, String classPath) {
        this.directory = directory;
        this.config = config;
        this.classPath = classPath;
    }

    /** With a configuration file. */
    public static Program with(Path directory, String configuration) {
        return of(System.getProperty("java.class.path"), directory, configuration);
    }

    /** The same of another build. */
    public static Program of(String classPath, Path directory, String configuration) {
        try {
            Path config = directory.resolve("waybill.yaml");
            Files.writeString(config, configuration);
            return new Program(directory, config, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The tables of all features, without the history that {@code migrate} keeps; those of an earlier test, emptied, if
     * this is called before the test's schema is named.
     */
    public static SchemaName tables(TestDatabase database) {
        return new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
    }

    /** The lines of a configuration that name a test's database. */
    public static String database(TestDatabase database) {
        return """
                database:
                  main:
                    url: "%s"
                    schema: %s
                """.formatted(database.server().jdbcUrl(), database.schema());
    }

    /** Runs a command to its end. */
    public Result run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /** The same with variables of the environment. */
    public Result run(Map<String, String> variables, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = run(variables, out, err, arguments);
        return new Result(exitCode, out.toString(), err.toString());
    }

    /** The same for a test that reads the output meanwhile; returns the exit code. */
    public int run(Map<String, String> variables, Writer out, Writer err, String... arguments) {
        var environment = new HashMap<>(Map.of("WAYBILL_CONFIG", config.toString()));
        environment.putAll(variables);
        return Commands.execute(
                new ProcessEnvironment(Map.of(), environment), new PrintWriter(out), new PrintWriter(err), arguments);
    }

    /** Runs a command to its end in a process of its own. */
    public Result runProcess(String... arguments) {
        return runProcess(Map.of(), arguments);
    }

    /** The same with variables of the environment. */
    public Result runProcess(Map<String, String> variables, String... arguments) {
        return runProcess(builder(variables, arguments));
    }

    private Result runProcess(ProcessBuilder builder) {
        try {
            Path out = Files.createTempFile(directory, "out", ".txt");
            Path err = Files.createTempFile(directory, "err", ".txt");
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("The command does not end: " + String.join(" ", builder.command()));
            }
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /**
     * Runs a command by a shell.
     *
     * @param assignment a variable with its value as the shell reads it; empty for none
     * @param line the arguments as printf reads them; other words of the shell stand behind a semicolon or a pipe
     */
    public Result runShell(Map<String, String> variables, String assignment, String line) {
        String shell = "IFS=' '; set -f; set -- \"$@\" $(printf -- '" + line + "'); " + assignment + " exec \"$@\"";
        return runProcess(builder(variables), shell);
    }

    /** Runs a command with its words for the shell behind it, such as a redirection. */
    public Result runShell(String words) {
        return runProcess(builder(Map.of()), "\"$@\" " + words);
    }

    private Result runProcess(ProcessBuilder builder, String shell) {
        var command = new ArrayList<>(List.of("bash", "-c", shell, "bash"));
        command.addAll(builder.command());
        return runProcess(builder.command(command));
    }

    /** Starts a command that goes on; what it prints goes to a file. */
    public Process start(Path out, String... arguments) {
        return start(out, Map.of(), arguments);
    }

    /** The same with variables of the environment. */
    public Process start(Path out, Map<String, String> variables, String... arguments) {
        try {
            return builder(variables, arguments)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessBuilder builder(Map<String, String> variables, String... arguments) {
        var command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // The class path of tests has several files logback-test.xml, of which an installed program has none.
                "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                "-cp",
                classPath,
                WaybillRelay.class.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("WAYBILL_"));
        builder.environment().put("WAYBILL_CONFIG", config.toString());
        builder.environment().putAll(variables);
        return builder;
    }

    /** The result of a command. */
    public record Result(int exitCode, String out, String err) {
        /** Its output, as JSON. */
        public JsonNode json() {
            if (out.isBlank()) {
                throw new AssertionError("Printed nothing: " + err);
            }
            try {
                return new ObjectMapper().readTree(out);
            } catch (IOException e) {
                throw new AssertionError("Not JSON: " + out + err, e);
            }
        }
    }
}
