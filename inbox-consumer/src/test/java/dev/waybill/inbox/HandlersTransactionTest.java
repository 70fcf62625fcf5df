package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that end their message's transaction themselves, as code does that was written for a connection of its own. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class HandlersTransactionTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(50));

    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    private enum Deed {
        COMMIT,
        ROLL_BACK,
        CLOSE,
        AUTO_COMMIT;

        void on(Connection connection) throws SQLException {
            switch (this) {
                case COMMIT -> connection.commit();
                case ROLL_BACK -> connection.rollback();
                case CLOSE -> connection.close();
                case AUTO_COMMIT -> connection.setAutoCommit(true);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_handler_cannot_end_its_messages_transaction_and_other_messages_keep_their_effects(Deed deed) {
        for (int batch : List.of(1, 3)) {
            inbox.dsl.execute("truncate " + inbox.schema.table("effect") + ", " + inbox.schema.table("inbox_message"));
            var receiver = session();

            var turn = turn(receiver, batch, deed::on);
            turn.run();

            assertThat(receiver.log())
                    .containsExactly(
                            "complete m1", "dead-letter m2 java.lang.IllegalStateException", "complete m3", "close");
            assertThat(receiver.description()).contains("A handler must not call ");
            assertThat(inbox.effects()).containsExactly("m1", "m3");
            assertThat(inbox.recorded()).containsExactlyInAnyOrder("m1", "m3");
            assertThat(turn.parts().gate().isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void a_handler_that_rolls_back_by_a_statement_has_its_message_dead_lettered_instead_of_completed(int batch) {
        var receiver = session();

        turn(receiver, batch, connection -> execute(connection, "rollback")).run();

        assertThat(receiver.log())
                .containsExactly(
                        "complete m1", "dead-letter m2 org.postgresql.util.PSQLException", "complete m3", "close");
        assertThat(receiver.description()).contains("has ended the transaction of its message");
        assertThat(inbox.effects()).containsExactly("m1", "m3");
        assertThat(inbox.recorded()).containsExactlyInAnyOrder("m1", "m3");
    }

    @Test
    void a_handler_that_commits_by_a_statement_has_its_message_dead_lettered_for_what_came_after_it_is_lost() {
        var receiver = session();

        turn(receiver, 1, connection -> execute(connection, "commit")).run();

        assertThat(receiver.log())
                .containsExactly(
                        "complete m1", "dead-letter m2 org.postgresql.util.PSQLException", "complete m3", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void savepoints_are_the_handlers_own() {
        var receiver = session();

        turn(receiver, 1, connection -> {
                    var savepoint = connection.setSavepoint();
                    execute(connection, "delete from " + inbox.schema.table("effect"));
                    connection.rollback(savepoint);
                    connection.releaseSavepoint(connection.setSavepoint());
                })
                .run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
    }

    private InboxFixture.Turn turn(ScriptedReceiver receiver, int batch, Act act) {
        Handler handler = Handler.onConnection((connection, message) -> {
            inbox.effect(DSL.using(connection, SQLDialect.POSTGRES), message);
            if (message.id().equals("m2")) {
                act.on(connection);
            }
            return Verdict.done();
        });
        return inbox.turn(receiver, handler, settings -> {
            settings.batch = batch;
            settings.retries = BRIEFLY;
        });
    }

    private interface Act {
        void on(Connection connection) throws SQLException;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static ScriptedReceiver session() {
        return ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"), FakeMessage.of("m3"));
    }
}
