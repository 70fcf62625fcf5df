package dev.waybill.pooler;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresNode;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A PgBouncer in transaction mode before a server; skips the test where none is installed. */
public final class PgBouncer implements AutoCloseable {
    private static final String PROGRAM = "pgbouncer";
    private static final int PATIENCE_SECONDS = 20;

    // Any user is taken and becomes the server's superuser, on the loopback interface only.
    private static final String SETTINGS = """
            [databases]
            * = host=127.0.0.1 port=%d user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = %d
            max_client_conn = 500
            ignore_startup_parameters = extra_float_digits,options
            """;

    private final int port;
    private final Path directory;
    private final Process process;

    private PgBouncer(int port, Path directory, Process process) {
        this.port = port;
        this.directory = directory;
        this.process = process;
    }

    public static void assumeInstalled() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM))),
                PROGRAM + " is not on the path");
    }

    /** A pooler before a server, with so many connections to it for all clients together. */
    public static PgBouncer before(PostgresNode server, int connections) throws Exception {
        int port = freePort();
        Path directory = Files.createTempDirectory(PROGRAM);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path settings = Files.writeString(
                directory.resolve("pgbouncer.ini"), SETTINGS.formatted(server.port(), port, connections));
        Process process = new ProcessBuilder(command(settings))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        var bouncer = new PgBouncer(port, directory, process);
        bouncer.awaitReady();
        return bouncer;
    }

    // It refuses to run as root.
    private static List<String> command(Path settings) {
        var command = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        command.addAll(List.of(PROGRAM, settings.toString()));
        return command;
    }

    /** Without prepared statements, which PgBouncer before 1.21 does not keep apart. */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&prepareThreshold=0";
    }

    private void awaitReady() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "PgBouncer has not started: " + Files.readString(directory.resolve("log")));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
