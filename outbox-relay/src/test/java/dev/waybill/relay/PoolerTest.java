package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A loop's connection through what stands between it and the server: poolers, pools, and servers that end. */
@ExtendWith(PostgresExtension.class)
class PoolerTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;
    private LastConnection connections;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        connections = new LastConnection(database.dataSource());
    }

    @Test
    void a_read_that_another_server_process_answers_sends_nothing_and_the_next_one_goes_on() {
        var relay = outbox.relay(broker, connections.dsl()).started();
        outbox.append("s", "m1");
        connections.answerFromAnother();

        assertThatThrownBy(relay::run).isInstanceOf(ServerChangedException.class);
        assertThat(broker.arrived()).isEmpty();
        relay.run();

        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    @Tag("long")
    void a_settle_that_another_server_process_answers_records_nothing_and_the_rows_are_sent_again() {
        var relay = outbox.relay(broker, connections.dsl()).started();
        broker.behave(shipment -> {
            connections.answerFromAnother();
            return PublishResult.accepted(shipment.rows().size());
        });
        outbox.append("s", "m1", "m2");

        runWhateverHappens(relay);
        assertThat(outbox.rowsIn("outbox_progress")).isZero();
        broker.takeEverything();
        runWhateverHappens(relay);
        relay.run();

        assertThat(broker.arrived()).endsWith("m1", "m2").containsOnly("m1", "m2");
        assertThat(outbox.rowsIn("outbox_progress")).isPositive();
    }

    @Test
    void a_settle_leaves_no_session_that_commits_without_waiting_for_the_disk() {
        var relay = outbox.relay(broker, connections.dsl()).started();
        outbox.append("s", "m1");

        relay.run();

        assertThat(outbox.rowsIn("outbox_progress")).isPositive();
        assertThat(connections.setting("synchronous_commit")).isEqualTo("on");
    }

    @Test
    void a_peek_that_another_server_process_answers_is_not_believed() {
        var relay = outbox.relay(broker, connections.dsl()).started();
        relay.run();
        connections.answerFromAnother();

        assertThatThrownBy(relay.turn()::peek).isInstanceOf(ServerChangedException.class);
    }

    @Test
    void behind_a_pooler_that_changes_the_process_now_and_then_everything_arrives_in_order() {
        String[] ids = IntStream.range(0, 40).mapToObj(i -> "m" + i).toArray(String[]::new);
        var relay = outbox.relay(broker, connections.dsl()).started();
        var sends = new AtomicInteger();
        broker.behave(shipment -> {
            if (sends.incrementAndGet() % 3 == 0) {
                connections.answerFromAnother();
            }
            return PublishResult.accepted(shipment.rows().size());
        });
        for (String id : ids) {
            outbox.append("s", id);
            runWhateverHappens(relay);
        }
        broker.takeEverything();
        runWhateverHappens(relay);
        runWhateverHappens(relay);

        assertThat(broker.arrived().stream().distinct()).containsExactly(ids);
    }

    @Test
    void a_connection_goes_back_to_its_pool_with_the_isolation_that_it_had() throws Exception {
        try (Connection pooled = database.dataSource().getConnection()) {
            var dsl = DSL.using(pooled, SQLDialect.POSTGRES);
            dsl.execute("set session characteristics as transaction isolation level serializable");

            OutboxFixture.connections(dsl).open().close();

            assertThat(dsl.fetchSingle("show default_transaction_isolation").get(0, String.class))
                    .isEqualTo("serializable");
            assertThat(dsl.fetchSingle("show plan_cache_mode").get(0, String.class))
                    .isEqualTo("auto");
            dsl.execute("reset default_transaction_isolation");
        }
    }

    @Test
    void a_loop_rests_while_it_waits_for_what_a_lost_connection_has_left_under_way() throws Exception {
        var firstSend = new AtomicBoolean(true);
        var slow = new HeldBackPublisher(broker, shipment -> firstSend.getAndSet(false));
        var relay = outbox.relay(slow, connections.dsl()).started();
        var loop = outbox.loop(relay);
        outbox.append("s", "m1");
        loop.step();
        connections.end();
        outbox.clock.advanceMillis(1_000);
        loop.step();

        List<Duration> rests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            rests.add(loop.step());
            outbox.clock.advanceMillis(100);
        }

        assertThat(rests).allMatch(rest -> rest.compareTo(Duration.ZERO) > 0);
        slow.answer();
        relay.started().run();
        assertThat(broker.arrived()).containsOnly("m1");
    }

    @Test
    void an_error_ends_no_thread_of_a_relay() {
        var turns = new AtomicInteger();
        var thread = new RelayThread("waybill-test", () -> {
            if (turns.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("planned");
            }
            return Duration.ofMillis(1);
        });
        thread.start();
        thread.wake();

        await().until(() -> turns.get() > 1);
        thread.stop();
    }

    private static void runWhateverHappens(RelayUnderTest relay) {
        try {
            relay.run();
        } catch (ServerChangedException e) {
            assertThat(e).hasMessageContaining("Another server process");
        }
    }

    /** Connections of a pool, of which the test can reach the last one that is out. */
    private static final class LastConnection implements ConnectionProvider {
        private final DataSource dataSource;
        private @Nullable Connection last;

        LastConnection(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        DSLContext dsl() {
            return DSL.using(this, SQLDialect.POSTGRES);
        }

        @Override
        public Connection acquire() {
            try {
                Connection acquired = dataSource.getConnection();
                DSL.using(acquired).execute("set synchronous_commit = on");
                last = acquired;
                return acquired;
            } catch (SQLException e) {
                throw new DataAccessException("no connection", e);
            }
        }

        @Override
        public void release(Connection connection) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new DataAccessException("not closed", e);
            }
        }

        /** As a pooler does that gives the next statement to another server process. */
        void answerFromAnother() {
            DSL.using(last).execute("set " + LoopConnection.SETTING + " = 'another'");
        }

        /** Of the server process that answered last. */
        String setting(String name) {
            return DSL.using(last).fetchSingle("show " + name).get(0, String.class);
        }

        void end() {
            int pid = DSL.using(last).fetchSingle("select pg_backend_pid()").get(0, Integer.class);
            try (Connection other = dataSource.getConnection()) {
                DSL.using(other).fetch("select pg_terminate_backend(" + pid + ")");
            } catch (SQLException e) {
                throw new DataAccessException("not ended", e);
            }
        }
    }
}
