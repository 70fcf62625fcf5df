package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldState;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.record.InboxInsert;
import dev.waybill.inbox.settle.HoldWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The verdict defer of a message that comes out of a hold, which the broker no longer has. */
@ExtendWith(PostgresExtension.class)
class HeldDeferralTest {
    private static final AuditContext WORD = new AuditContext("test", "now");
    private static final HoldKey SESSION = HoldKey.session(HoldSide.INBOX, "test", "s");
    private static final HoldKey M1 = HoldKey.message(HoldSide.INBOX, "test", "s", "m1");

    private final AtomicBoolean early = new AtomicBoolean(true);
    private final AtomicInteger calls = new AtomicInteger();
    private Runnable meanwhile = () -> {};
    InboxFixture inbox;
    private Deferrals deferrals;
    private Holds holds;

    @BeforeEach
    void hold_two_messages_of_a_session(TestDatabase database) {
        inbox = new InboxFixture(database);
        deferrals = Deferrals.in(inbox.schema);
        holds = InboxHolds.in(database.dataSource(), inbox.schema);
        inbox.turn(session("m1", "m2"), (tx, message) -> Verdict.retry(Duration.ofHours(1)))
                .run();
        holds.release(SESSION, WORD);
    }

    @Test
    void a_held_message_that_is_deferred_waits_alone_and_its_session_goes_on_until_it_is_resumed() throws SQLException {
        turn().runHolds();

        assertThat(inbox.effects()).containsExactly("m2");
        assertThat(holds.show(SESSION)).isEmpty();
        Hold waits = holds.show(M1).orElseThrow();
        assertThat(waits.state()).isEqualTo(HoldState.RETRYING);
        assertThat(waits.cause().reason()).isEqualTo("Deferred");
        assertThat(waits.cause().description()).contains("'k'");
        assertThat(waits.dueAt()).isAfter(waits.heldAt().plus(Duration.ofHours(23)));
        assertThat(deferrals.olderThan(inbox.dsl, "test", Duration.ZERO))
                .singleElement()
                .satisfies(deferral -> assertThat(deferral.messageId()).isEqualTo("m1"));

        early.set(false);
        assertThat(resume()).isEqualTo(1);
        resumptionsAndHolds();

        assertThat(inbox.effects()).containsExactly("m2", "m1");
        assertThat(holds.list()).isEmpty();
        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    @Test
    void a_dead_letter_that_is_deferred_out_of_its_sessions_hold_is_still_known_as_one() {
        inbox.dsl.execute("update " + inbox.schema.table("inbox_held_message") + " set dead_letter = place");

        turn().runHolds();

        assertThat(holds.messages(M1, 1).get(0).deadLetter()).isNotNull();
    }

    @Test
    void a_copy_that_the_broker_delivers_again_takes_no_deferral_away() throws SQLException {
        turn().runHolds();
        var again = session("m1");
        inbox.turn(again, this::handle).run();
        assertThat(again.log()).containsExactly("complete m1", "close");

        early.set(false);
        assertThat(resume()).isEqualTo(1);
        resumptionsAndHolds();

        assertThat(inbox.effects()).containsExactly("m2", "m1");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_copy_that_is_deferred_on_the_broker_does_not_stay_there_after_the_held_one_is_done() throws SQLException {
        inbox.turn(
                        ScriptedReceiver.ofSession(new FakeMessage("m3", 1, 3).with("other", "x")),
                        (tx, m) -> Verdict.defer("k"))
                .run();
        inbox.turn(
                        ScriptedReceiver.ofSession(new FakeMessage("m3", 1, 4).with("other", "x")),
                        (tx, m) -> Verdict.retry(Duration.ofHours(1)))
                .run();
        var table = new DeferralTable(new Database(inbox.dataSource), inbox.schema, "test", fencing());
        assertThat(table.wanted()).isEmpty();
        early.set(false);

        holds.release(HoldKey.session(HoldSide.INBOX, "test", "other"), WORD);
        turn().runHolds();
        turn().runHolds();

        assertThat(inbox.effects()).contains("m3");
        assertThat(table.wanted()).hasSize(1);
    }

    @Test
    void a_copy_on_its_way_into_the_sessions_hold_waits_with_the_one_that_was_deferred_meanwhile() throws SQLException {
        turn().runHolds();
        var insert = InboxInsert.plain(inbox.schema);
        var holding = new HoldWriter(inbox.dsl, inbox.schema, insert, fencing(), "test");

        holding.join(new FakeMessage("m1", 1, 1), SESSION.text(), null);

        assertThat(holds.list()).extracting(Hold::key).containsExactly(M1);
        early.set(false);
        resume();
        resumptionsAndHolds();
        assertThat(inbox.effects()).containsExactly("m2", "m1");
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void nobody_looks_for_it_on_the_broker() throws SQLException {
        turn().runHolds();
        resume();

        var table = new DeferralTable(new Database(inbox.dataSource), inbox.schema, "test", fencing());
        assertThat(table.wanted()).isEmpty();
    }

    private Fencing fencing() {
        return new Fencing(new Database(inbox.dataSource), inbox.schema, "test", Duration.ofSeconds(1));
    }

    @Test
    void a_resume_while_the_held_message_is_being_deferred_is_not_lost() throws SQLException {
        meanwhile = () -> {
            if (early.getAndSet(false)) {
                assertThat(resume()).isZero();
                meanwhile = () -> {};
            }
        };

        turn().runHolds();
        resumptionsAndHolds();

        assertThat(inbox.effects()).containsExactly("m2", "m1");
    }

    @Test
    void a_process_that_dies_before_it_looks_for_a_resume_leaves_a_message_that_is_handled_again_soon()
            throws SQLException {
        // For the attempt, the handler, the deferral, and none to look for a resume.
        var dies = inbox.on(FailingPool.after(3, inbox.dataSource));
        var unusedFailure =
                catchThrowable(() -> dies.turn(session(), this::handle).runHolds());
        assertThat(holds.show(M1)).isPresent();
        early.set(false);
        inbox.dsl.execute("update " + inbox.schema.table("inbox_deferral")
                + " set resume_at = resume_at - interval '10 seconds'");
        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold")
                + " set attempt_until = now() where attempt_until is not null");

        resumptionsAndHolds();

        assertThat(inbox.effects()).containsExactlyInAnyOrder("m2", "m1");
    }

    @Test
    void a_message_that_is_held_alone_is_deferred_where_it_is_and_can_be_deferred_again() throws SQLException {
        turn().runHolds();
        resume();
        resumptionsAndHolds();
        assertThat(calls).hasValue(2);
        Hold waits = holds.show(M1).orElseThrow();
        assertThat(waits.messages()).isEqualTo(1);
        assertThat(waits.attempts()).isZero();

        resume();
        early.set(false);
        resumptionsAndHolds();

        assertThat(inbox.effects()).containsExactly("m2", "m1");
    }

    @Test
    void a_deferral_ends_with_its_hold() throws SQLException {
        turn().runHolds();

        holds.skip(M1, holds.messages(M1, 1).get(0).place(), WORD);

        assertThat(inbox.count("inbox_deferral")).isZero();
        assertThat(resume()).isZero();
    }

    @Test
    void an_operator_may_let_it_go_without_a_resume() throws SQLException {
        turn().runHolds();
        early.set(false);

        holds.release(M1, WORD);
        turn().runHolds();

        assertThat(inbox.effects()).containsExactly("m2", "m1");
        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    @Test
    void a_message_that_an_operator_has_to_decide_about_is_not_resumed() throws SQLException {
        turn().runHolds();
        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold") + " set state = 'parked'");

        resume();
        resumptionsAndHolds();

        assertThat(calls).hasValue(1);
        assertThat(holds.show(M1).orElseThrow().state()).isEqualTo(HoldState.PARKED);
    }

    private Verdict handle(DSLContext tx, InboundMessage message) {
        if (message.id().equals("m1")) {
            calls.incrementAndGet();
            boolean defers = early.get();
            meanwhile.run();
            if (defers) {
                return Verdict.defer("k");
            }
        }
        return inbox.effect(tx, message);
    }

    private int resume() {
        return inbox.dsl.transactionResult(tx -> deferrals.resume(tx.dsl(), "test", "k"));
    }

    private void resumptionsAndHolds() throws SQLException {
        InboxFixture.Turn turn = turn();
        turn.parts().resumptions().run();
        turn.runHolds();
    }

    private InboxFixture.Turn turn() {
        return inbox.turn(session(), this::handle);
    }

    private static ScriptedReceiver session(String... ids) {
        return ScriptedReceiver.ofSession(Stream.of(ids)
                .map(id -> new FakeMessage(id, 1, Long.parseLong(id.substring(1))))
                .toArray(InboundMessage[]::new));
    }
}
