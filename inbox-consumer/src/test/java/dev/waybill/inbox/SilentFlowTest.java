package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.record.InboxInsert;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A firewall that has forgotten a connection: nothing comes back, no error either. The pool sets no limit, as is its default. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentFlowTest {
    private static final Consumer<ConsumerOptions> SHORT = settings -> {
        settings.handlerTimeout = Duration.ofMillis(200);
        settings.lockTimeout = Duration.ofMillis(200);
        settings.beyondTheLongestAnswer = Duration.ofMillis(500);
    };

    private InboxFixture inbox;
    private TcpProxy network;
    private HikariDataSource pool;

    @BeforeEach
    void put_a_network_between(TestDatabase database) {
        inbox = new InboxFixture(database);
        URI server = URI.create(database.server().jdbcUrl().substring("jdbc:".length()));
        network = TcpProxy.to(new InetSocketAddress(server.getHost(), server.getPort()));
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.server()
                .jdbcUrl()
                .replace(server.getHost() + ":" + server.getPort(), "localhost:" + network.port()));
        pool.setMaximumPoolSize(3);
    }

    @AfterEach
    void take_it_away() {
        pool.close();
        network.close();
    }

    @Test
    void a_commit_that_is_never_answered_keeps_no_worker_for_ever_and_its_effects_happen_once() {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));

        var turn = inbox.on(pool)
                .turn(
                        receiver,
                        (tx, message) -> {
                            inbox.effect(tx, message);
                            network.forgetFlows();
                            return Verdict.done();
                        },
                        SHORT.andThen(settings -> settings.retries =
                                new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO)));
        turn.run();

        assertThat(receiver.log()).containsExactly("close");
        assertThat(turn.parts().gate().isOpen()).isFalse();
        network.cut();
        inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1")), inbox::effect)
                .run();
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_statement_beside_handlers_that_is_never_answered_ends_in_an_error() throws SQLException {
        var parts = inbox.on(pool)
                .turn(ScriptedReceiver.ofSession(), inbox::effect, SHORT)
                .parts();
        parts.heartbeat().beat();
        network.forgetFlows();

        assertThatThrownBy(parts.heartbeat()::beat).isInstanceOf(SQLException.class);

        parts.heartbeat().beat();
    }

    @Test
    void a_look_for_holds_that_is_never_answered_ends_in_an_error() throws Exception {
        // Without the short limits: whoever runs this first loads the classes of a transaction inside it.
        var first = inbox.turn(ScriptedReceiver.ofSession(), inbox::effect);
        first.parts().holds().run(first.work(), () -> {});
        var turn = inbox.on(pool).turn(ScriptedReceiver.ofSession(), inbox::effect, SHORT);
        turn.parts().holds().run(turn.work(), () -> {});
        network.forgetFlows();

        assertThatThrownBy(() -> turn.parts().holds().run(turn.work(), () -> {}))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void a_transaction_beside_handlers_whose_flow_is_forgotten_keeps_its_locks_from_nobody() {
        inbox.effect(inbox.dsl, FakeMessage.of("m1"));
        String change = "update " + inbox.schema.table("effect") + " set session = 'changed'";
        var database = new Database(pool, AnswerLimit.of(Duration.ofMillis(500)));

        assertThatThrownBy(() -> database.transaction(tx -> {
                    Database.update(tx, change);
                    network.forgetFlows();
                }))
                .isInstanceOf(SQLException.class);

        assertThat(inbox.dsl.execute(change)).isEqualTo(1);
    }

    @Test
    void a_look_for_an_id_whose_flow_is_forgotten_keeps_the_message_from_nobody() throws SQLException {
        var database = new Database(pool, AnswerLimit.of(Duration.ofMillis(500)));
        var insert = InboxInsert.bounded(inbox.schema, Duration.ofSeconds(10));

        assertThatThrownBy(() -> database.undone(tx -> {
                    insert.execute(tx, "ledger", "m1");
                    network.forgetFlows();
                }))
                .isInstanceOf(SQLException.class);

        inbox.dsl.connection(
                beside -> assertThat(insert.execute(beside, "ledger", "m1")).isTrue());
    }

    @Test
    void a_connection_goes_back_to_its_pool_without_a_limit() throws Exception {
        // Where nothing falls silent: a busy machine takes its time between two statements.
        var turn = inbox.on(pool)
                .turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("m1")),
                        inbox::effect,
                        settings -> settings.beyondTheLongestAnswer = Duration.ofMinutes(1));
        turn.run();
        turn.parts().heartbeat().beat();
        turn.parts().holds().run(turn.work(), () -> {});

        try (var one = pool.getConnection();
                var two = pool.getConnection()) {
            assertThat(one.getNetworkTimeout()).isZero();
            assertThat(two.getNetworkTimeout()).isZero();
        }
    }
}
