package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldState;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message that is to be held, and whose values or whose database will not have it. */
@ExtendWith(PostgresExtension.class)
class UnstorableTest {
    private static final Handler REFUSES = (tx, message) -> Verdict.deadLetter("Bad", "bad");

    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_nul_in_a_text_is_held_as_a_replacement_character() {
        var receiver = ScriptedReceiver.ofSession(odd("m1", "s", "a\0b"), odd("m2", "s", "c\0d"));

        run(receiver, REFUSES);

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "close");
        var holds = InboxHolds.in(inbox.dataSource, inbox.schema);
        var session = HoldKey.session(HoldSide.INBOX, "test", "s");
        assertThat(holds.show(session).orElseThrow().state()).isEqualTo(HoldState.PARKED);
        assertThat(holds.messages(session, 10))
                .extracting(held -> held.content().subject())
                .containsExactly("a\uFFFDb", "c\uFFFDd");
    }

    @Test
    void a_state_that_is_no_text_is_not_read_as_another_text() {
        var state = new SessionState.Versioned(1, new byte[] {'a', (byte) 0xC3});

        assertThatThrownBy(state::text)
                .isInstanceOf(UnreadableBodyException.class)
                .hasMessageContaining("byte 1 of 2");
    }

    @Test
    void a_name_that_no_index_takes_ends_as_a_dead_letter_that_says_so() {
        String name =
                Stream.generate(UUID::randomUUID).limit(300).map(UUID::toString).collect(Collectors.joining());
        var receiver = ScriptedReceiver.ofSession(odd("m1", name, "a"));

        run(receiver, REFUSES);

        assertThat(receiver.log()).containsExactly("dead-letter m1 Bad", "close");
        assertThat(receiver.description()).startsWith("It cannot be held").contains("index row");
        assertThat(inbox.count("inbox_hold")).isZero();
        assertThat(inbox.count("inbox_session")).isZero();
    }

    @Test
    void a_nul_in_the_id_or_the_session_ends_as_a_dead_letter_under_either_policy() {
        for (OnFailure policy : OnFailure.values()) {
            var receiver = ScriptedReceiver.ofSession(odd("m\0", "s", "a"), odd("m2", "s\0", "a"));

            var turn = inbox.turn(receiver, inbox::effect, settings -> settings.onFailure = policy);
            turn.run();

            assertThat(receiver.log())
                    .containsExactly(
                            "dead-letter m\0 org.postgresql.util.PSQLException",
                            "dead-letter m2 org.postgresql.util.PSQLException",
                            "close");
            assertThat(turn.parts().gate().isOpen()).isTrue();
        }
    }

    @Test
    void a_grant_that_is_missing_is_told_and_no_message_is_blamed(TestDatabase database) throws Exception {
        String role = database.schema() + "_poor";
        database.execute("create role " + role);
        try {
            database.execute(Role.CONSUMER.grants(inbox.schema, role, Feature.all()));
            database.execute("revoke insert on " + inbox.schema.table("inbox_held_message") + " from " + role);
            try (var pool = new HikariDataSource()) {
                pool.setJdbcUrl(database.server().jdbcUrl());
                pool.setMaximumPoolSize(3);
                pool.setConnectionInitSql("set role " + role);
                var receiver = ScriptedReceiver.ofSession(odd("m1", "s", "a"));
                var turn = inbox.on(pool).turn(receiver, REFUSES, UnstorableTest::holdSessions);

                assertThatThrownBy(turn::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("grant");

                assertThat(receiver.log()).containsExactly("close");
                assertThat(inbox.count("inbox_session")).isZero();
            }
        } finally {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
    }

    @Test
    void whatever_else_refuses_a_hold_is_counted_until_the_message_is_dead_lettered() {
        String table = inbox.schema.table("inbox_held_message");
        inbox.dsl.execute("create function " + inbox.schema.table("refuse")
                + "() returns trigger language plpgsql as 'begin raise exception ''not today''; end'");
        inbox.dsl.execute("create trigger refuse before insert on " + table + " for each row execute function "
                + inbox.schema.table("refuse") + "()");
        for (int close = 1; close <= 3; close++) {
            var receiver = ScriptedReceiver.ofSession(odd("m1", "s", "a"));

            inbox.turn(receiver, REFUSES, settings -> {
                        holdSessions(settings);
                        settings.deliveries = new DeliveryPolicy(5, 3, 3);
                    })
                    .run();

            assertThat(inbox.dsl.fetchValue("select closes from " + inbox.schema.table("inbox_session")))
                    .isEqualTo(close);
            if (close < 3) {
                assertThat(receiver.log()).containsExactly("close");
            } else {
                assertThat(receiver.log())
                        .containsExactly("dead-letter m1 org.jooq.exception.DataAccessException", "close");
                assertThat(receiver.description()).contains("not today");
            }
        }
    }

    private void run(ScriptedReceiver receiver, Handler handler) {
        inbox.turn(receiver, handler, UnstorableTest::holdSessions).run();
    }

    private static void holdSessions(ConsumerOptions settings) {
        settings.onFailure = OnFailure.HOLD_SESSION;
    }

    /** A message of a foreign producer. */
    private static FakeMessage odd(String id, String session, String subject) {
        return new FakeMessage(id, 1, id.hashCode()).with(session, subject);
    }
}
