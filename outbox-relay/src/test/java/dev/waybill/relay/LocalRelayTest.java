package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.WakeChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A relay in the writer's process hears of commits by a call, and never keeps others from hearing what is theirs. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LocalRelayTest {
    private static final String ORDERS = OutboxFixture.DESTINATION;
    private static final Duration LONGEST_IDLE = Duration.ofMillis(250);

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private HikariDataSource pool;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        pool = PostgresServer.pool(database.server().jdbcUrl(), 12);
    }

    @AfterEach
    void close_the_pool() {
        pool.close();
    }

    @Test
    void a_relay_that_is_alone_publishes_what_its_process_commits_and_nobody_is_notified() throws SQLException {
        try (Relay relay = relay().build().start();
                Connection listener = outbox.dataSource().getConnection()) {
            listener.createStatement().execute("listen " + WakeChannel.of(outbox.schema));
            await().until(() -> relay.wake(ORDERS));
            var writer = Outbox.builder().schema(outbox.schema).relay(relay).build();
            Configuration configuration = outbox.dsl.configuration();
            DSLContext dsl =
                    DSL.using(configuration.derive(writer.appendingAtCommit(configuration.connectionProvider())));

            for (String id : List.of("m1", "m2", "m3")) {
                dsl.transaction(tx -> writer.append(
                        tx.dsl(),
                        OutboxMessage.to(ORDERS).session("s").id(id).text("").build()));
                await().until(() -> broker.arrived().contains(id));
            }

            outbox.dsl.execute("select pg_notify({0}, 'end')", DSL.inline(WakeChannel.of(outbox.schema)));
            assertThat(listener.unwrap(PGConnection.class).getNotifications(10_000))
                    .extracting(PGNotification::getParameter)
                    .containsExactly("end");
            listener.createStatement().execute("unlisten *");
        }
    }

    @Test
    void relays_that_share_a_destination_let_others_be_told_and_one_that_is_left_alone_does_not() {
        Relay first = relay().build().start();
        try (first) {
            await().until(() -> first.wake(ORDERS));
            try (Relay second = relay().build().start()) {
                await().until(() -> !first.wake(ORDERS));
                assertThat(second.wake(ORDERS)).isFalse();
            }
            await().until(() -> first.wake(ORDERS));
            assertThat(first.wake("another"))
                    .as("a destination that it does not serve")
                    .isFalse();
        }
        assertThat(first.wake(ORDERS)).as("closed").isFalse();
    }

    @Test
    void a_relay_that_takes_single_turns_lets_others_be_told() {
        try (Relay relay = relay().build()) {
            assertThat(relay.wake(ORDERS)).isFalse();
            relay.publishCommitted();

            assertThat(relay.wake(ORDERS)).isFalse();
        }
    }

    @Test
    void a_relay_whose_leases_may_have_run_out_lets_others_be_told() {
        var relay = outbox.relay(broker).started();
        var loop = outbox.loop(relay, Duration.ofMillis(8), LONGEST_IDLE);
        loop.step();
        assertThat(loop.isAlone()).isTrue();

        outbox.clock.advanceMillis(OutboxFixture.LEASE.toMillis());

        assertThat(loop.isAlone()).isFalse();
    }

    /** The process was frozen for longer than a lease, and its heartbeat is back before the loop has looked. */
    @Test
    void a_relay_whose_lanes_others_have_taken_meanwhile_lets_others_be_told_before_it_has_noticed() {
        var relay = outbox.relay(broker).started();
        var loop = outbox.loop(relay, Duration.ofMillis(8), LONGEST_IDLE);
        loop.step();
        outbox.clock.advanceMillis(OutboxFixture.LEASE.toMillis() - 10);
        outbox.expireLeases();
        var other = outbox.relay(new RecordingPublisher()).started();
        assertThat(other.turn().ownsAll()).isTrue();

        relay.heartbeat().beat();

        assertThat(loop.isAlone()).isFalse();
    }

    @Test
    void a_relay_that_has_lost_its_database_lets_others_be_told() {
        var dead = new AtomicBoolean();
        var relay = outbox.relay(broker, WatchedConnections.failing(outbox.dsl, dead::get))
                .started();
        var loop = outbox.loop(relay, Duration.ofMillis(8), LONGEST_IDLE);
        loop.step();
        assertThat(loop.isAlone()).isTrue();
        dead.set(true);
        outbox.clock.advanceMillis(1_000);

        loop.step();

        assertThat(loop.isAlone()).isFalse();
    }

    private Relay.Builder relay() {
        return Relay.builder(pool)
                .schema(outbox.schema)
                .publisher(broker)
                .destination(ORDERS)
                .leaseDuration(Duration.ofSeconds(5));
    }
}
