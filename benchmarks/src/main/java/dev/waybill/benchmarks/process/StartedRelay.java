package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A relay's process from the moment it is told to start. */
final class StartedRelay implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BETWEEN_LOOKS_MILLIS = 5;

    private final Process process;
    private final URI ready;
    private final long startedAt = System.nanoTime();

    /** Starts it beside a database and a broker that are there. */
    StartedRelay(List<String> command, OutboxSchema schema, EmbeddedServiceBus bus) throws IOException {
        int port = freePort();
        ready = URI.create("http://127.0.0.1:" + port + "/readyz");
        var builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        var environment = builder.environment();
        environment.put("WAYBILL_DATABASE_MAIN_URL", schema.urlFor("relay"));
        environment.put("WAYBILL_DATABASE_MAIN_SCHEMA", schema.name().value());
        environment.put("WAYBILL_NAMESPACE_MAIN_CONNECTION_STRING", bus.connectionString());
        environment.put("WAYBILL_DESTINATION_" + Backlog.DESTINATION.toUpperCase(Locale.ROOT) + "_SESSIONS", "true");
        environment.put("WAYBILL_HTTP_BIND", "127.0.0.1");
        environment.put("WAYBILL_HTTP_PORT", Integer.toString(port));
        process = builder.start();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Milliseconds until it says that it works. */
    double millisUntilReady() throws IOException, InterruptedException {
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() - startedAt > PATIENCE.toNanos()) {
                throw new IllegalStateException("The relay does not get ready");
            }
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        }
        return (System.nanoTime() - startedAt) / 1e6;
    }

    private boolean isReady() throws IOException {
        var connection = (HttpURLConnection) ready.toURL().openConnection();
        try {
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        } finally {
            connection.disconnect();
        }
    }

    /** Milliseconds of processor that it has used. */
    double cpuMillis() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    /** MiB that it holds of the machine's memory; 0 where the system does not tell. */
    double residentMib() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
