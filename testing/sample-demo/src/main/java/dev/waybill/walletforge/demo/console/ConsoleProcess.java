package dev.waybill.walletforge.demo.console;

import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.demo.input.BadInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code waybill-relay console} in a JVM of its own, on loopback. Thread-safe. */
public final class ConsoleProcess implements AutoCloseable {
    private static final String MAIN_CLASS = "dev.waybill.standalone.WaybillRelay";
    private static final Pattern SIGN_IN = Pattern.compile("Sign in to the console, once, at (\\S+)");
    private static final int PATIENCE_SECONDS = 60;
    private static final int LINES_KEPT = 20;

    private final Process process;
    private final Deque<String> lines = new ArrayDeque<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private final Thread end = new Thread(this::close, "console-end");

    private ConsoleProcess(Process process) {
        this.process = process;
        // It would outlive a run that is told to end.
        Runtime.getRuntime().addShutdownHook(end);
    }

    /**
     * Starts it, and returns when it is served.
     *
     * @param jdbcUrl with credentials
     * @param schema of Waybill's tables
     * @param port 0 for any free one
     * @param address hears of each address that signs in the person who opens it first, on another thread
     * @throws BadInputException if it is not served, with what it said
     */
    public static ConsoleProcess start(String jdbcUrl, SchemaName schema, int port, Consumer<String> address)
            throws InterruptedException {
        requireClasses();
        var builder = new ProcessBuilder(command()).redirectErrorStream(true);
        builder.environment().put("WAYBILL_DATABASE_WALLETFORGE_URL", jdbcUrl);
        builder.environment().put("WAYBILL_DATABASE_WALLETFORGE_SCHEMA", schema.value());
        builder.environment().put("WAYBILL_LOG_FORMAT", "text");
        builder.environment().put("WAYBILL_CONSOLE_PORT", Integer.toString(port));
        try {
            var console = new ConsoleProcess(builder.start());
            console.follow(address);
            console.awaitReady();
            return console;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails where the relay's classes are not there, before anything else is done. */
    public static void requireClasses() {
        try {
            Class.forName(MAIN_CLASS, false, ConsoleProcess.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new BadInputException(
                    "--console needs the standalone relay on the class path, as 'mvn -Ddemo=console compile'"
                            + " has it; or run 'waybill-relay console' on the same database");
        }
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN_CLASS,
                "console");
    }

    private void follow(Consumer<String> address) {
        var thread = new Thread(() -> read(address), "console-log");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(Consumer<String> address) {
        try (BufferedReader log = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = log.readLine(); line != null; line = log.readLine()) {
                keep(line);
                Matcher signIn = SIGN_IN.matcher(line);
                if (signIn.find()) {
                    address.accept(signIn.group(1));
                    ready.complete(null);
                }
            }
        } catch (IOException e) {
            keep(e.toString());
        }
        ready.completeExceptionally(new IllegalStateException("it has ended"));
    }

    private synchronized void keep(String line) {
        lines.add(line);
        if (lines.size() > LINES_KEPT) {
            lines.remove();
        }
    }

    private void awaitReady() throws InterruptedException {
        try {
            ready.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new BadInputException("The console is not served:" + System.lineSeparator() + said());
        }
    }

    private synchronized String said() {
        return String.join(System.lineSeparator(), lines);
    }

    /** Returns when it has ended. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Ends it. */
    @Override
    public void close() {
        process.destroy();
    }
}
