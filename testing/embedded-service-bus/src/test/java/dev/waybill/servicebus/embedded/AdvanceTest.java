package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.waybill.servicebus.embedded.journal.Settled;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Time that is moved ahead past several things at once: they happen in the order of their moments. */
@EmbeddedOnly("moves time ahead")
class AdvanceTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofSeconds(30)).maxDeliveryCount(3))
                .queue("graves", q -> q.deadLetterOnExpiration())
                .queue("first", q -> q.deadLetterOnExpiration().forwardDeadLettersTo("second"))
                .queue(
                        "second",
                        q -> q.timeToLive(Duration.ofSeconds(20))
                                .deadLetterOnExpiration()
                                .forwardDeadLettersTo("graves"))
                .queue("wallet-tx", q -> q.requiresSession().lockDuration(Duration.ofSeconds(30)));
    }

    private static OffsetDateTime in(int seconds) {
        return OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(seconds);
    }

    @Test
    void a_message_falls_due_and_expires_within_one_step_of_time() {
        clients.sender("graves").scheduleMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(5)), in(10));
        bus.advance(Duration.ofSeconds(60));
        assertThat(bus.journal("graves").storedCount()).isEqualTo(1);
        assertThat(bus.inspect("graves").active()).isZero();
        assertThat(Clients.receiveOne(clients.deadLetters("graves")).getDeadLetterReason())
                .isEqualTo("TTLExpiredException");
    }

    @Test
    void a_dead_letter_expires_where_it_was_forwarded_to_within_one_step_of_time() {
        clients.sender("first").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(5)));
        bus.advance(Duration.ofSeconds(26));
        assertThat(bus.journal("second").storedCount()).isEqualTo(1);
        assertThat(bus.inspect("graves").active()).isEqualTo(1);
    }

    @Test
    void what_falls_due_later_comes_after_what_falls_due_before() {
        var sender = clients.sender("orders");
        for (int seconds : new int[] {30, 10, 20}) {
            sender.scheduleMessage(Clients.message("m" + seconds), in(seconds));
        }
        bus.advance(Duration.ofMinutes(1));
        assertThat(bus.journal("orders").stored()).extracting(Stored::messageId).containsExactly("m10", "m20", "m30");
    }

    @Test
    void a_lock_that_begins_while_time_moves_is_whole_when_it_stops() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient slow = clients.receiver("orders");
        ServiceBusReceivedMessage lost = Clients.receiveOne(slow);
        RawClient waiting = clients.track(RawClient.connect(bus.port()));
        waiting.open();
        waiting.receiver("orders", 10);
        bus.advance(Duration.ofMinutes(10));

        // Nobody could have renewed a lock in the ten minutes that did not pass: one is lost, and the next one holds.
        assertThat(lost.getDeliveryCount()).isZero();
        assertThat(bus.journal("orders").settlements())
                .extracting(Settled::outcome)
                .containsExactly(Settled.Outcome.LOCK_LOST);
        var locks = bus.inspect("orders").locks();
        assertThat(locks).hasSize(1);
        assertThat(locks.get(0).lockedUntil()).isBetween(in(0).toInstant(), in(31).toInstant());
    }

    @Test
    void a_receiver_that_waits_gets_a_message_before_it_expires() {
        RawClient waiting = clients.track(RawClient.connect(bus.port()));
        waiting.open();
        waiting.receiver("orders", 10);
        clients.sender("orders").scheduleMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(5)), in(10));
        bus.advance(Duration.ofMinutes(1));
        assertThat(bus.journal("orders").deliveries()).hasSize(1);
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
    }

    @Test
    void a_session_that_falls_due_goes_to_who_waits_for_it_with_a_whole_lock() {
        RawClient waiting = clients.track(RawClient.connect(bus.port()));
        waiting.open();
        clients.sender("wallet-tx").scheduleMessage(Clients.message("m1", "w1"), in(10));
        waiting.acceptNextSession("wallet-tx");
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 1);
        bus.advance(Duration.ofMinutes(5));
        var sessions = bus.inspect("wallet-tx").sessions();
        assertThat(sessions).extracting(session -> session.locked()).containsExactly(true);
        assertThat(sessions.get(0).lockedUntil()).isBetween(in(0).toInstant(), in(31).toInstant());
    }
}
