package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Relays and operators on a pool whose connections are not in auto-commit mode, as is common beside Hibernate. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PoolModeTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private HikariDataSource pool;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(8);
        config.setAutoCommit(false);
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void two_relays_on_a_pool_without_auto_commit_publish_each_message_once_and_record_it() {
        List<String> ids = IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();
        try (var one = relay("one");
                var two = relay("two")) {
            one.start();
            two.start();
            ids.forEach(id -> outbox.append("s" + id, id));

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(published()).isEqualTo(ids.size()));
            assertThat(broker.arrived()).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(outbox.rowsIn("relay_instance")).isEqualTo(2);
            await().untilAsserted(() -> assertThat(outbox.rowsIn("relay_alarm")).isZero());
        }
    }

    /** Each claim would fail, and the signs of life would not. */
    @Test
    void a_pool_of_read_only_connections_is_refused_at_the_start(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setReadOnly(true);
        try (var readOnly = new HikariDataSource(config);
                var relay = relay(readOnly, "one")) {
            assertThatThrownBy(relay::start)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("gives read-only connections");
        }
    }

    @Test
    void read_only_connections_whose_driver_lets_them_write_will_do(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.addDataSourceProperty("readOnlyMode", "ignore");
        config.setReadOnly(true);
        try (var writing = new HikariDataSource(config);
                var relay = relay(writing, "one")) {
            relay.start();
            outbox.append("s", "m1");

            await().until(() -> broker.arrived().contains("m1"));
        }
    }

    @Test
    void what_is_due_is_moved_on_a_pool_without_auto_commit() {
        try (var relay = relay("one")) {
            relay.start();
            outbox.dsl.transaction(tx -> outbox.outbox.append(
                    tx.dsl(),
                    OutboxMessage.to(OutboxFixture.DESTINATION)
                            .id("due")
                            .text("due")
                            .notBefore(Instant.parse("2020-01-01T00:00:00Z"))
                            .build()));

            await().until(() -> broker.arrived().contains("due"));
        }
    }

    @Test
    void what_an_operator_says_is_recorded_on_a_pool_without_auto_commit() {
        Destinations destinations = Destinations.of(pool, outbox.schema);

        destinations.pause("orders", "maintenance");

        assertThat(outbox.rowsIn("outbox_pause")).isEqualTo(1);
        assertThat(destinations.resume("orders")).isTrue();
        assertThat(outbox.rowsIn("outbox_pause")).isZero();
    }

    private int published() {
        return outbox.dsl
                .fetchSingle("select count(*) from " + outbox.schema.table("outbox_message_status")
                        + " where status = 'published'")
                .get(0, Integer.class);
    }

    private Relay relay(String name) {
        return relay(pool, name);
    }

    private Relay relay(DataSource connections, String name) {
        return Relay.builder(connections)
                .schema(outbox.schema)
                .name(name)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(2))
                .build();
    }
}
