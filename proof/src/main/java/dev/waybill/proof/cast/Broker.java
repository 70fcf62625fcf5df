package dev.waybill.proof.cast;

import dev.waybill.proof.role.BrokerRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The broker's process. Thread-safe. */
public final class Broker implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

    private final Jvm jvm;
    private Process process;
    private BufferedReader answers;
    private String connectionString;
    private int life;

    /** Starts an embedded broker. */
    public Broker(Jvm jvm) {
        this.jvm = jvm;
        this.process = launch();
        this.answers = reader(process);
        this.connectionString = line();
        this.life = 1;
    }

    /** How many namespaces there have been. */
    public synchronized int life() {
        return life;
    }

    synchronized int port() {
        var matcher = PORT.matcher(connectionString);
        if (!matcher.find()) {
            throw new IllegalStateException("The broker said " + connectionString);
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** The connection string of the judges, without a proxy. */
    synchronized String connectionString() {
        return connectionString;
    }

    /** The connection string through another port. */
    synchronized String connectionString(int port) {
        return PORT.matcher(connectionString).replaceFirst("127.0.0.1:" + port);
    }

    /** Has the broker do something. */
    public synchronized String tell(String command) {
        try {
            var out = process.getOutputStream();
            out.write((command + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The broker does not listen", e);
        }
        return line();
    }

    /** Kills the namespace with all that it has. */
    public synchronized void lose() {
        process.destroyForcibly();
    }

    /** An empty namespace instead of a lost one. */
    synchronized void beginAnew() {
        process = launch();
        answers = reader(process);
        connectionString = line();
        life++;
    }

    private Process launch() {
        try {
            return jvm.start("broker", new Jvm.Options(1_500, List.of(), true), List.of("broker"));
        } catch (IOException e) {
            throw new UncheckedIOException("The broker cannot be started", e);
        }
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private String line() {
        try {
            String line = answers.readLine();
            while (line != null && !line.startsWith(BrokerRole.ANSWER)) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("The broker has ended; see its log");
            }
            return line.substring(BrokerRole.ANSWER.length());
        } catch (IOException e) {
            throw new UncheckedIOException("The broker does not answer", e);
        }
    }

    @Override
    public synchronized void close() {
        process.destroyForcibly();
    }
}
