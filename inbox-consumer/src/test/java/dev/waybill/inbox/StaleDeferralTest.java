package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.InboxKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An owner of a session is frozen right before it stores a deferral; meanwhile the session gets another owner. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class StaleDeferralTest {
    InboxFixture inbox;
    private InboxFixture frozen;
    private FreezingPool pool;
    private Runnable meanwhile = () -> {};

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
        pool = new FreezingPool(
                sql -> sql.contains("into " + inbox.schema.table("inbox_deferral")), () -> meanwhile.run());
        frozen = inbox.on(pool.of(inbox.dataSource));
    }

    @Test
    void a_message_that_the_next_owner_has_deferred_waits_for_the_next_owners_key() {
        meanwhile = () -> handled("m1", Verdict.defer("new"), "defer m1");

        assertThat(deferredByTheFrozenOne("m1").log()).containsExactly("close");

        assertThat(keys()).isEqualTo("new");
    }

    @Test
    void a_message_that_the_next_owner_has_done_is_not_deferred() {
        meanwhile = () -> handled("m1", Verdict.done(), "complete m1");

        assertThat(deferredByTheFrozenOne("m1").log()).containsExactly("close");

        assertThat(keys()).isEmpty();
    }

    @Test
    void while_the_next_owner_is_at_work_nothing_is_stored_and_the_message_is_left_to_it() throws SQLException {
        try (Connection next = inbox.dataSource.getConnection()) {
            next.setAutoCommit(false);
            meanwhile = () -> DSL.using(next)
                    .execute(
                            "insert into " + inbox.schema.table("inbox_acceptance")
                                    + " (key, consumer, token) values ({0}, 'test', 9223372036854775807)",
                            DSL.val(InboxKey.ofSession("test", "q", "s")));

            assertThat(deferredByTheFrozenOne("m1").log()).containsExactly("close");

            assertThat(keys()).isEmpty();
            next.rollback();
        }
    }

    @Test
    void an_owner_who_was_frozen_and_has_the_session_still_defers_as_ever() {
        assertThat(deferredByTheFrozenOne("m1").log()).containsExactly("defer m1", "close");

        assertThat(keys()).isEqualTo("old");
    }

    @Test
    void the_next_owner_of_a_session_in_which_nothing_but_deferrals_happened_is_not_refused() {
        handled("m1", Verdict.defer("k1"), "defer m1");
        handled("m2", Verdict.defer("k2"), "defer m2");
        handled("m3", Verdict.done(), "complete m3");

        assertThat(keys()).isEqualTo("k1, k2");
    }

    @Test
    void a_message_without_a_session_is_deferred_by_whoever_has_it() {
        var receiver = ScriptedReceiver.ofQueue(FakeMessage.of("m1"));
        inbox.entity(EntityDescription.of("q", false));

        inbox.turn(receiver, (tx, message) -> Verdict.defer("k")).run();

        assertThat(keys()).isEqualTo("k");
    }

    private ScriptedReceiver deferredByTheFrozenOne(String id) {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of(id));
        frozen.turn(
                        receiver,
                        (tx, message) -> Verdict.defer("old"),
                        settings -> settings.lockTimeout = Duration.ofMillis(200))
                .run();
        assertThat(pool.hasFrozen()).as("whether it came to store the deferral").isTrue();
        return receiver;
    }

    private void handled(String id, Verdict verdict, String log) {
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of(id));
        inbox.turn(receiver, (tx, message) -> verdict).run();
        assertThat(receiver.log()).containsExactly(log, "close");
    }

    private String keys() {
        return String.join(
                ", ",
                inbox.dsl
                        .fetch("select defer_key from " + inbox.schema.table("inbox_deferral") + " order by 1")
                        .getValues(0, String.class));
    }
}
