package dev.waybill.upgrade;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Relays of two builds, each a process with a queue of its own. Used by one thread. */
final class Fleet implements AutoCloseable {
    private final Path directory;
    private final TestDatabase database;
    private final EmbeddedServiceBus bus;
    private final String destination;
    private final Map<String, Process> relays = new LinkedHashMap<>();
    private int started;

    Fleet(Path directory, TestDatabase database, EmbeddedServiceBus bus, String destination) {
        this.directory = directory;
        this.database = database;
        this.bus = bus;
        this.destination = destination;
    }

    /** A command of a build, run to its end. */
    Program.Result run(Build build, String... arguments) throws IOException {
        return program(build, "command", "").runProcess(arguments);
    }

    /** Starts a relay and returns its name, which nobody has had before. */
    String start(Build build) throws IOException {
        String name = build.name() + "-" + ++started;
        bus.createQueue(name, queue -> queue.requiresSession());
        Process relay = program(build, name, """
                namespace:
                  main:
                    connection-string: "%s"
                destination:
                  %s: { sessions: true, entity: %s }
                relay: { lease-duration: 2s, send-deadline: 5s }
                instance: %s
                http: { port: 0, bind: 127.0.0.1 }
                """.formatted(bus.connectionString(), destination, name, name))
                .start(output(name), "run");
        relays.put(name, relay);
        return name;
    }

    private Program program(Build build, String name, String more) throws IOException {
        Path place = Files.createDirectories(directory.resolve(name));
        return Program.of(build.classPath(), place, Program.database(database) + more);
    }

    /** The output of a relay so far. */
    String printed(String name) throws IOException {
        return Files.readString(output(name));
    }

    private Path output(String name) {
        return directory.resolve(name + ".log");
    }

    /** Ends a relay as an operator does; returns its exit code. */
    int stop(String name) throws InterruptedException {
        Process relay = relays.get(name);
        relay.destroy();
        if (!relay.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " does not end");
        }
        return relay.exitValue();
    }

    /** Ends it by a signal that it cannot catch. */
    void kill(String name) throws InterruptedException {
        relays.get(name).destroyForcibly().waitFor();
    }

    boolean isAlive(String name) {
        return relays.get(name).isAlive();
    }

    @Override
    public void close() {
        relays.values().forEach(Process::destroyForcibly);
    }

    /**
     * A build.
     *
     * @param name "old" or "new"
     */
    record Build(String name, String classPath) {}
}
