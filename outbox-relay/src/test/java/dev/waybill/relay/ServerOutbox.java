package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The outbox of servers that a test may harm, by the public API and the SQL views alone. Closes what it has started. */
final class ServerOutbox implements AutoCloseable {
    static final String DESTINATION = "orders";

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String RESTS = """
            select max(recorded_at) < clock_timestamp() - interval '100 milliseconds' from waybill.outbox_progress
            """;

    private static final String READ_AFTER = """
            select count(*) > 0 from pg_stat_activity
            where state = 'idle' and query ~ 'outbox_(message|pause)'
              and query_start > '%s'::timestamptz + interval '500 milliseconds'
            """;

    private static final int SESSIONS = 200;
    private static final int ROWS_PER_TRANSACTION = 10;
    private static final int CONNECTIONS = 8;

    private final Outbox outbox = Outbox.create();
    private final RecordingPublisher broker = new RecordingPublisher();
    private final List<Relay> relays = new ArrayList<>();
    private final List<HikariDataSource> pools = new ArrayList<>();

    /** Creates the tables. */
    void migrate(PostgresNode server) {
        Migrations.of(pool(server.jdbcUrl())).apply(Feature.all());
    }

    Relay startRelay(String url) {
        var relay = Relay.builder(pool(url))
                .destination(DESTINATION)
                .publisher(broker)
                .build();
        relays.add(relay);
        return relay.start();
    }

    void stopRelays() {
        relays.forEach(Relay::close);
        relays.clear();
    }

    long rebase(PostgresNode server) {
        return OutboxHistory.of(pool(server.jdbcUrl()), SchemaName.DEFAULT).rebase();
    }

    /** Commits messages with the ids prefix0, prefix1 ..., ten to a transaction. */
    void append(PostgresNode server, String prefix, int count) throws SQLException {
        try (var connection = server.connect()) {
            connection.setAutoCommit(false);
            for (int from = 0; from < count; from += ROWS_PER_TRANSACTION) {
                outbox.append(
                        connection,
                        IntStream.range(from, Math.min(count, from + ROWS_PER_TRANSACTION))
                                .mapToObj(i -> message(prefix + i, i))
                                .toList());
                connection.commit();
            }
        }
    }

    private static OutboxMessage message(String id, int number) {
        return OutboxMessage.to(DESTINATION)
                .session("s" + number % SESSIONS)
                .id(id)
                .text(id)
                .build();
    }

    static Set<String> ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).collect(Collectors.toSet());
    }

    Set<String> arrived() {
        return new HashSet<>(broker.arrived());
    }

    /** Waits until a relay has read once more, half a second after all that is there now. */
    void awaitNextRead(PostgresNode server) throws SQLException {
        String now = server.value("select clock_timestamp()");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(server.value(READ_AFTER.formatted(now)))
                        .as("read by a relay")
                        .isEqualTo("t"));
    }

    /** Waits until no cursor has been recorded for a while: relays only look whether there is anything to do. */
    void awaitRest(PostgresNode server) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(server.value(RESTS)).as("relays rest").isEqualTo("t"));
    }

    /** Waits until all have arrived; at no moment does the database call one published that has not. */
    void awaitArrived(PostgresNode server, Set<String> ids) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertNothingIsCalledPublishedUnsent(server);
            var missing = new HashSet<>(ids);
            missing.removeAll(arrived());
            assertThat(missing.size()).as("not published, of " + ids.size()).isZero();
        });
    }

    /** Waits until the server's tables say of all that they are published. */
    void awaitRecorded(PostgresNode server, Set<String> ids) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(published(server)).containsAll(ids));
    }

    void assertNothingIsCalledPublishedUnsent(PostgresNode server) throws SQLException {
        Set<String> published = published(server);
        published.removeAll(arrived());
        if (!published.isEmpty()) {
            // No assertion, which would be tried again until it holds.
            throw new IllegalStateException(published.size() + " messages are called published that nobody has sent");
        }
    }

    /** The messages that the database calls published. */
    Set<String> published(PostgresNode server) throws SQLException {
        var ids = new HashSet<String>();
        try (var connection = server.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "select message_id from waybill.outbox_message_status where status = 'published'")) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }

    void awaitAlarm(PostgresNode server, boolean raised) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(server.value("select count(*) > 0 from waybill.relay_alarm"
                                + " where alarm = 'history' and coalesce(destination, '" + DESTINATION + "') = '"
                                + DESTINATION + "'"))
                        .as("alarm 'history'")
                        .isEqualTo(raised ? "t" : "f"));
    }

    HikariDataSource pool(String url) {
        var pool = PostgresServer.pool(url, CONNECTIONS);
        pool.setConnectionTimeout(10_000);
        pools.add(pool);
        return pool;
    }

    @Override
    public void close() {
        try {
            stopRelays();
        } finally {
            pools.forEach(HikariDataSource::close);
        }
    }
}
