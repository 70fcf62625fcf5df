package dev.waybill.proof.role;

import dev.waybill.embedded.postgres.PostgresServer;
import java.io.IOException;
import java.util.Map;
import javax.sql.DataSource;

/** The main class of every process of the cast: plays one role until its standard input ends. */
public final class Role {
    private static final Map<String, Player> PLAYERS = Map.of(
            "relay", RelayRole::start,
            "consumer", ConsumerRole::start,
            "writer", WriterRole::start,
            "operator", OperatorRole::start);

    private Role() {}

    /** Arguments: the role, then {@code name=value}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("broker")) {
            BrokerRole.play(System.in, System.out);
            return;
        }
        Terms terms = Terms.of(arguments, 1);
        Player player = PLAYERS.get(arguments[0]);
        if (player == null) {
            throw new IllegalArgumentException("There is no role " + arguments[0]);
        }
        try (var pool = PostgresServer.pool(terms.jdbcUrl(), (int) terms.number("connections"))) {
            AutoCloseable playing = startPatiently(player, terms, pool);
            awaitEnd();
            playing.close();
        }
        System.exit(0);
    }

    // A process may start while its database or broker is away, as under Kubernetes: it is started again until it runs.
    private static AutoCloseable startPatiently(Player player, Terms terms, DataSource pool) throws Exception {
        while (true) {
            try {
                return player.start(terms, pool);
            } catch (RuntimeException e) {
                System.err.println("not started: " + e);
                Thread.sleep(500);
            }
        }
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {}
    }

    /** Begins to play. */
    @FunctionalInterface
    interface Player {
        AutoCloseable start(Terms terms, DataSource pool) throws Exception;
    }
}
