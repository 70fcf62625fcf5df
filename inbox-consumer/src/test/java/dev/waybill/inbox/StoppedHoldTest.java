package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(30)
class StoppedHoldTest {
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_held_message_whose_handler_a_stop_interrupts_goes_on_at_once_elsewhere_and_nothing_is_counted() {
        inbox.turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("m1")),
                        (tx, message) -> Verdict.retry(Duration.ofHours(1)))
                .run();
        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold") + " set due_at = now()");
        var stopped = inbox.turn(ScriptedReceiver.ofSession(), (tx, message) -> {
            inbox.stopping.set(true);
            throw new InterruptedException("by the consumer, after the drain time");
        });

        assertThatThrownBy(() -> stopped.parts().holds().run(stopped.work(), () -> {}))
                .isInstanceOf(InterruptedException.class);

        assertThat(inbox.dsl.fetchValue("select attempts from " + inbox.schema.table("inbox_hold")))
                .isEqualTo(0);
        inbox.stopping.set(false);
        inbox.turn(ScriptedReceiver.ofSession(), inbox::effect).runHolds();
        assertThat(inbox.effects()).containsExactly("m1");
    }
}
