package dev.waybill.inbox.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.FakeMessage;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxFixture;
import dev.waybill.inbox.ScriptedReceiver;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.settle.SessionCloses;
import dev.waybill.inbox.settle.Settlements;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counts of what a message has met, which end with the copy of it that has met it. */
@ExtendWith(PostgresExtension.class)
class CrashCounterTest {
    private final AtomicInteger calls = new AtomicInteger();
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_message_that_was_stopped_is_handled_when_it_is_mended_and_redriven() throws SQLException {
        threeProcessesDieOf(copy(1));
        var stopped = run(copy(1));
        assertThat(stopped.log()).containsExactly("dead-letter m1 ProcessStopped", "close");
        assertThat(calls).hasValue(0);
        assertThat(inbox.count("inbox_start")).isZero();

        var mended = run(copy(2));

        assertThat(mended.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
        assertThat(inbox.count("inbox_start")).isZero();
    }

    @Test
    void it_is_handled_too_if_the_process_died_before_it_forgot_the_starts() throws SQLException {
        threeProcessesDieOf(copy(1));

        var mended = run(copy(2));

        assertThat(mended.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_duplicate_of_a_message_that_was_handled_is_no_dead_letter() throws SQLException {
        run(copy(1));
        threeProcessesDieOf(copy(2));

        var duplicate = run(copy(2));

        assertThat(duplicate.log()).containsExactly("complete m1", "close");
        assertThat(calls).hasValue(1);
        assertThat(inbox.count("inbox_start")).isZero();
    }

    @Test
    void a_message_that_comes_again_keeps_the_starts_that_had_no_end() throws SQLException {
        threeProcessesDieOf(copy(1));
        starts().end(copy(1), false);

        assertThat(starts().begin(copy(1))).isEqualTo(3);
    }

    @Test
    void a_count_of_starts_holds_no_text_of_the_message() throws SQLException {
        assertThat(starts().begin(new FakeMessage("a\0b", 2, 1))).isEqualTo(1);
    }

    @Test
    void a_count_of_closes_holds_no_text_of_the_session_and_ends_with_the_copy() throws SQLException {
        assertThat(closes("s\0", copy(1))).isEqualTo(1);
        assertThat(closes("s\0", copy(1))).isEqualTo(2);

        assertThat(closes("s\0", copy(2))).isEqualTo(1);
        assertThat(closes("s", copy(2))).isEqualTo(1);
    }

    private int closes(String session, InboundMessage message) throws SQLException {
        var fencing = new Fencing(new Database(inbox.dataSource), inbox.schema, "test", Duration.ofSeconds(1));
        var receiver = ScriptedReceiver.ofSession(session);
        return new SessionCloses(fencing, inbox.schema, "test", "q")
                .count(new Settlements(receiver, ConsumerListener.SILENT, null), message);
    }

    private void threeProcessesDieOf(InboundMessage message) throws SQLException {
        for (int process = 0; process < 3; process++) {
            starts().begin(message);
        }
    }

    private CrashCounter starts() {
        var database = new Database(inbox.dataSource);
        return new CrashCounter(
                database,
                inbox.schema,
                "test",
                3,
                new ConsumerHeartbeat(database, inbox.schema, "test", "orders", Duration.ofMinutes(10)));
    }

    private static FakeMessage copy(long number) {
        return new FakeMessage("m1", 2, number, Map.of());
    }

    private ScriptedReceiver run(InboundMessage message) {
        var receiver = ScriptedReceiver.ofSession(message);
        inbox.turn(receiver, (tx, handled) -> {
                    calls.incrementAndGet();
                    return inbox.effect(tx, handled);
                })
                .run();
        return receiver;
    }
}
