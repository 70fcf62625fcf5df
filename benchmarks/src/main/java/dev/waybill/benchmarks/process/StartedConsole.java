package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A console's process, and somebody who is signed in to it. */
final class StartedConsole implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern SIGN_IN = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+)(/start\\?token=[\\w-]+)");

    private final Process process;
    private final String address;
    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private StartedConsole(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** Starts it beside a database that is there, and signs in. */
    static StartedConsole start(List<String> command, OutboxSchema schema) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        var environment = builder.environment();
        environment.put("WAYBILL_DATABASE_MAIN_URL", schema.urlFor("console"));
        environment.put("WAYBILL_DATABASE_MAIN_SCHEMA", schema.name().value());
        environment.put("WAYBILL_CONSOLE_PORT", "0");
        Process process = builder.start();
        BufferedReader log = process.inputReader(StandardCharsets.UTF_8);
        Matcher signIn = awaitSignIn(log);
        discard(log);
        var console = new StartedConsole(process, signIn.group(1));
        console.get(signIn.group(2));
        return console;
    }

    private static Matcher awaitSignIn(BufferedReader log) throws IOException {
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher signIn = SIGN_IN.matcher(line);
            if (signIn.find()) {
                return signIn;
            }
        }
        throw new IllegalStateException("The console has not started");
    }

    // A log that nobody reads would stop its writer.
    private static void discard(BufferedReader log) {
        var thread = new Thread(() -> log.lines().forEach(line -> {}), "console-log");
        thread.setDaemon(true);
        thread.start();
    }

    /** The page at a path. */
    String get(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .build();
        HttpResponse<String> answer = follow(request);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(path + " answers " + answer.statusCode());
        }
        return answer.body();
    }

    private HttpResponse<String> follow(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = browser.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 3) {
            return answer;
        }
        String next = answer.headers().firstValue("Location").orElseThrow();
        return follow(HttpRequest.newBuilder(URI.create(address).resolve(next)).build());
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
