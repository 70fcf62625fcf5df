package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Relays with their threads, on a database that does not behave. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void a_relay_outlives_the_death_of_all_its_connections() {
        var pool = pool(8, "waybill-doomed");
        relay(pool).start();
        outbox.append("s", "m1");
        awaitArrived("m1");

        outbox.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'waybill-doomed'");
        outbox.append("s", "m2");

        awaitArrived("m1", "m2");
    }

    @Test
    void a_relay_waits_out_an_exhausted_pool() throws Exception {
        var pool = pool(4, "waybill-small");
        relay(pool).start();
        outbox.append("s", "m1");
        awaitArrived("m1");
        try (var one = pool.getConnection();
                var two = pool.getConnection()) {
            outbox.append("s", "m2");
            await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0);
            assertThat(one.isValid(1) && two.isValid(1)).isTrue();
        }

        awaitArrived("m1", "m2");
    }

    @Test
    void a_relay_takes_no_lanes_before_its_publisher_is_ready() {
        relay(database.dataSource()).start();
        outbox.append("s", "m1");
        awaitArrived("m1");
        var slow = new SlowToGetReady(broker);
        open(Relay.builder(database.dataSource())
                        .schema(outbox.schema)
                        .name("slow")
                        .destination(OutboxFixture.DESTINATION)
                        .publisher(slow)
                        .build())
                .start();
        await().until(() -> slow.asked);
        outbox.append("s", "m2");
        awaitArrived("m1", "m2");
        assertThat(lanesOf("slow")).isZero();

        slow.ready.complete(true);

        await().until(() -> lanesOf("slow") == WireContract.BUCKETS / 2);
        outbox.append("s", "m3");
        awaitArrived("m1", "m2", "m3");
    }

    private int lanesOf(String relay) {
        return outbox.dsl
                .fetchSingle(
                        "select count(*) from %1$s.outbox_lane l join %1$s.relay_instance i on i.id = l.owner where i.name = {0}"
                                .formatted(outbox.schema),
                        DSL.val(relay))
                .get(0, Integer.class);
    }

    @Test
    void a_relay_without_tables_does_not_start_and_says_what_to_do() {
        var relay = open(Relay.builder(database.dataSource())
                .schema(new SchemaName(outbox.schema + "_none"))
                .destination("orders")
                .publisher(broker)
                .build());

        assertThatThrownBy(relay::start).hasMessageContaining("apply the migrations");
    }

    @Test
    void a_relay_whose_role_lacks_a_grant_does_not_start_and_names_it() throws Exception {
        var role = open(new TemporaryRole(database, outbox.schema, Role.READONLY));

        assertThatThrownBy(relay(role.pool())::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("relay_beat")
                .hasMessageContaining("Role.RELAY");
    }

    @Test
    void the_relays_role_needs_nothing_but_its_grants() throws Exception {
        var role = open(new TemporaryRole(database, outbox.schema, Role.RELAY));
        relay(role.pool()).start();
        outbox.append("s", "m1", "m2");

        awaitArrived("m1", "m2");
    }

    @Test
    @Tag("long")
    void the_relays_role_may_hold_release_and_tell_what_is_refused() throws Exception {
        var role = open(new TemporaryRole(database, outbox.schema, Role.RELAY));
        var holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
        var destinations = Destinations.of(database.dataSource(), outbox.schema);
        broker.refuse("poison");
        relay(role.pool()).start();
        outbox.append("s", "m1", "poison", "m2");
        await().untilAsserted(() -> assertThat(holds.list()).hasSize(1));
        broker.behave(shipment ->
                new PublishResult(0, Outcome.DESTINATION_REFUSED, new IllegalStateException("unauthorised")));

        holds.release(holds.list().get(0).key(), new AuditContext("anna", "again"));
        await().untilAsserted(() -> assertThat(destinations.refused()).hasSize(1));
        broker.takeEverything();

        awaitArrived("m1", "poison", "m2");
        await().untilAsserted(() -> assertThat(destinations.refused()).isEmpty());
    }

    @Test
    void a_relay_that_stops_hands_its_buckets_over_at_once() {
        var first = relay(database.dataSource()).start();
        outbox.append("s", "m1");
        awaitArrived("m1");
        first.close();

        relay(database.dataSource()).start();
        outbox.append("s", "m2");

        awaitArrived("m1", "m2");
    }

    @Test
    void a_crashed_relays_buckets_move_on_when_its_lease_has_run_out() {
        outbox.relay(broker).started();
        outbox.execute("update $schema.relay_beat set alive_until = clock_timestamp() + interval '1 second'");
        outbox.append("s", "m1");

        relay(database.dataSource()).start();

        awaitArrived("m1");
    }

    @Test
    void a_data_source_that_gives_no_connection_is_told_of_by_words() {
        var empty = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, call, values) -> null);

        assertThatThrownBy(relay(empty)::start).hasMessageContaining("getConnection() returned null");
    }

    @Test
    void a_start_without_a_connection_says_that_the_pool_has_none_and_may_be_tried_again() throws Exception {
        var pool = pool(3, "waybill-exhausted");
        var relay = relay(pool);
        try (var one = pool.getConnection();
                var two = pool.getConnection();
                var three = pool.getConnection()) {
            assertThatThrownBy(relay::start)
                    .isInstanceOf(DataAccessException.class)
                    .hasStackTraceContaining("Connection is not available");
            assertThat(one.isValid(1) && two.isValid(1) && three.isValid(1)).isTrue();
        }

        relay.start();
        outbox.append("s", "m1");
        awaitArrived("m1");
    }

    private Relay relay(DataSource dataSource) {
        return open(Relay.builder(dataSource)
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(2))
                .build());
    }

    private HikariDataSource pool(int size, String applicationName) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(1_000);
        config.addDataSourceProperty("ApplicationName", applicationName);
        return open(new HikariDataSource(config));
    }

    private <T extends AutoCloseable> T open(T resource) {
        open.add(resource);
        return resource;
    }

    private void awaitArrived(String... ids) {
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(broker.arrived().stream().distinct()).containsExactly(ids));
    }

    /** Connects when the test lets it. */
    private static final class SlowToGetReady implements Publisher {
        private final Publisher publisher;
        private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
        private volatile boolean asked;

        SlowToGetReady(Publisher publisher) {
            this.publisher = publisher;
        }

        @Override
        public CompletionStage<?> prepare(String destination) {
            asked = true;
            return ready;
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return publisher.publish(shipment);
        }

        @Override
        public void close() {}
    }
}
