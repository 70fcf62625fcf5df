package dev.waybill.servicebus.receiver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The SDK's clients, each with a connection of its own, opened as they are needed: the SDK falls silent beyond some 250
 * sessions on one client (azure-sdk-for-java issue 32211). Thread-safe.
 *
 * @param <C> a client
 */
final class Connections<C> {
    private final Supplier<C> open;
    private final Consumer<C> close;
    private final int capacity;
    private final List<Connection<C>> connections = new ArrayList<>();

    Connections(Supplier<C> open, Consumer<C> close, int capacity) {
        this.open = open;
        this.close = close;
        this.capacity = capacity;
    }

    /** A place on a connection; to be {@linkplain Connection#leave left} again. */
    synchronized Connection<C> enter() {
        Connection<C> connection = connections.stream()
                .filter(candidate -> !candidate.condemned && candidate.inside < capacity)
                .findFirst()
                .orElseGet(this::add);
        connection.inside++;
        return connection;
    }

    private Connection<C> add() {
        var connection = new Connection<>(this, open.get());
        connections.add(connection);
        return connection;
    }

    synchronized void close() {
        connections.forEach(connection -> close.accept(connection.client));
        connections.clear();
    }

    private synchronized void leave(Connection<C> connection) {
        connection.inside--;
        closeIfLeft(connection);
    }

    // Those still inside go on: what is wrong may be wrong for newcomers only.
    private synchronized void condemn(Connection<C> connection) {
        connection.condemned = true;
        closeIfLeft(connection);
    }

    private void closeIfLeft(Connection<C> connection) {
        if (connection.inside == 0 && connection.condemned && connections.remove(connection)) {
            close.accept(connection.client);
        }
    }

    /** One client and how many use it. */
    static final class Connection<C> {
        private final Connections<C> all;
        private final C client;
        private int inside;
        private boolean condemned;
        private volatile long lastSign = System.nanoTime();

        private Connection(Connections<C> all, C client) {
            this.all = all;
            this.client = client;
        }

        C client() {
            return client;
        }

        /** Something came from the broker. */
        void sign() {
            lastSign = System.nanoTime();
        }

        boolean silentFor(Duration time) {
            return System.nanoTime() - lastSign >= time.toNanos();
        }

        void leave() {
            all.leave(this);
        }

        /** Nobody enters this connection any more, and the last to leave closes it. */
        void condemn() {
            all.condemn(this);
        }
    }
}
