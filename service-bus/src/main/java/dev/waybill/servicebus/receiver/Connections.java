package dev.waybill.servicebus.receiver;

import dev.waybill.inbox.MessageSource.ReceiveException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Clients of the SDK, each with its own connection, opened on demand: beyond about 250 sessions a client stops receiving
 * (azure-sdk-for-java issue 32211). Thread-safe.
 */
final class Connections<C> {
    private final String path;
    private final Supplier<C> open;
    private final Consumer<C> close;
    private final int capacity;
    private final List<Connection<C>> connections = new ArrayList<>();

    Connections(String path, Supplier<C> open, Consumer<C> close, int capacity) {
        this.path = path;
        this.open = open;
        this.close = close;
        this.capacity = capacity;
    }

    /** Takes a place on a connection, to be released by {@link Connection#leave}. */
    synchronized Connection<C> enter() {
        Connection<C> connection = connections.stream()
                .filter(candidate -> !candidate.retired && candidate.users < capacity)
                .findFirst()
                .orElseGet(this::add);
        connection.users++;
        return connection;
    }

    private Connection<C> add() {
        var connection = new Connection<>(this, opened());
        connections.add(connection);
        return connection;
    }

    private C opened() {
        try {
            return open.get();
        } catch (RuntimeException e) {
            throw new ReceiveException("No client of '" + path + "' can be made", e);
        }
    }

    synchronized void close() {
        connections.forEach(connection -> close.accept(connection.client));
        connections.clear();
    }

    private synchronized void leave(Connection<C> connection) {
        connection.users--;
        closeIfUnused(connection);
    }

    // Current users stay, because the fault may only affect new ones.
    private synchronized void retire(Connection<C> connection) {
        connection.retired = true;
        closeIfUnused(connection);
    }

    private void closeIfUnused(Connection<C> connection) {
        if (connection.users == 0 && connection.retired && connections.remove(connection)) {
            close.accept(connection.client);
        }
    }

    static final class Connection<C> {
        private final Connections<C> all;
        private final C client;
        private int users;
        private boolean retired;
        private volatile long lastHeardAt = System.nanoTime();

        private Connection(Connections<C> all, C client) {
            this.all = all;
            this.client = client;
        }

        C client() {
            return client;
        }

        /** The broker has sent something. */
        void heard() {
            lastHeardAt = System.nanoTime();
        }

        boolean silentFor(Duration time) {
            return System.nanoTime() - lastHeardAt >= time.toNanos();
        }

        void leave() {
            all.leave(this);
        }

        /** Takes no new users; the last one to leave closes the connection. */
        void retire() {
            all.retire(this);
        }
    }
}
