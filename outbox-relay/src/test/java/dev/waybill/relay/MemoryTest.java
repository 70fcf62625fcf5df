package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages that are large beside the heap of the relay. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MemoryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<Integer, Integer> arrivedBySize = new ConcurrentHashMap<>();
    private TestDatabase database;
    private @Nullable Process relay;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()));
    }

    @AfterEach
    void stop() throws InterruptedException {
        Process running = relay;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    @Test
    @Tag("long")
    void large_messages_after_many_small_ones_fit_into_a_small_heap() throws Exception {
        start("256m");
        insert(2_000, 20, "small-");
        awaitArrived(2_000, 20);

        insert(1_600, 240_000, "large-");

        awaitArrived(1_600, 240_000);
    }

    @Test
    void large_messages_that_wait_when_the_relay_starts_fit_into_a_small_heap() throws Exception {
        insert(1_600, 240_000, "large-");

        start("256m");

        awaitArrived(1_600, 240_000);
    }

    @Test
    void a_message_of_100_mb_passes_and_so_do_those_around_it() throws Exception {
        start("1g");
        insert(2_000, 20, "small-");
        awaitArrived(2_000, 20);

        insert(1, 100 * 1024 * 1024, "huge-");
        insert(100, 30, "after-");

        awaitArrived(1, 100 * 1024 * 1024);
        awaitArrived(100, 30);
    }

    @Test
    @Tag("long")
    void messages_with_large_headers_fit_into_a_small_heap() throws Exception {
        database.execute("insert into " + database.schema()
                + ".outbox_message (destination, session_id, message_id, headers, payload)"
                + " select 'orders', 's' || n % 200, 'm' || n, jsonb_build_object('trace', repeat('x', 50000)), '\\x01'"
                + " from generate_series(1, 6400) n");

        start("256m");

        awaitArrived(6_400, 1);
    }

    @Test
    @Tag("long")
    void many_large_messages_that_were_held_and_are_released_fit_into_a_small_heap() throws Exception {
        database.execute("insert into " + database.schema() + ".outbox_hold (destination, session_id, state, reason)"
                + " select 'orders', 'h' || n, 'retrying', 'Released' from generate_series(1, 16) n");
        database.execute("insert into " + database.schema()
                + ".outbox_held_message (hold_id, origin_position, origin_time, session_id, message_id, headers, payload)"
                + " select h.id, h.id * 1000 + n, now(), h.session_id, h.session_id || '-' || n, '{}',"
                + " decode(repeat('ab', 240000), 'hex') from " + database.schema()
                + ".outbox_hold h, generate_series(1, 100) n");

        start("256m");
        insert(100, 30, "beside-");

        awaitArrived(100, 30);
        awaitArrived(1_600, 240_000);
    }

    private void start(String heap) throws IOException {
        Process started = MemoryProcess.start(heap, database.server().jdbcUrl(), database.schema());
        relay = started;
        var reading = new Thread(() -> count(started.inputReader(StandardCharsets.UTF_8)), "arrivals");
        reading.setDaemon(true);
        reading.start();
    }

    private void count(BufferedReader lines) {
        lines.lines()
                .filter(line -> line.startsWith("arrived "))
                .forEach(line -> arrivedBySize.merge(Integer.valueOf(line.substring(8)), 1, Integer::sum));
    }

    private void insert(int count, int bytes, String prefix) throws SQLException {
        database.execute("insert into " + database.schema()
                + ".outbox_message (destination, session_id, message_id, payload)"
                + " select 'orders', 's' || n % 200, '" + prefix + "' || n, decode(repeat('ab', " + bytes + "), 'hex')"
                + " from generate_series(1, " + count + ") n");
    }

    private void awaitArrived(int count, int bytes) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(arrivedBySize.getOrDefault(bytes, 0)).isEqualTo(count));
    }
}
