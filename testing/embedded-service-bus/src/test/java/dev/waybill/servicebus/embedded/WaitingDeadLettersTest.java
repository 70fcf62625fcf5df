package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Dead letters that cannot be forwarded at once: they wait where nobody may receive, so they must not wait for
 * ever.
 */
@EmbeddedOnly("fills entities to the byte and looks at them at once")
class WaitingDeadLettersTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("work", q -> q.maxDeliveryCount(1).forwardDeadLettersTo("morgue"))
                .queue("free", q -> q.maxDeliveryCount(1))
                .queue("morgue", q -> q.maxSizeBytes(4_000))
                .queue("strict", q -> q.requiresSession());
    }

    private void fail(String queue, String... ids) {
        ServiceBusReceiverClient receiver = clients.receiver(queue);
        for (String id : ids) {
            clients.sender(queue).sendMessage(Clients.message(id));
            receiver.abandon(Clients.receiveOne(receiver));
        }
        receiver.close();
    }

    @Test
    void dead_letters_whose_target_is_full_follow_in_their_order_once_there_is_room() {
        clients.sender("morgue").sendMessage(new ServiceBusMessage(new byte[3_900]).setMessageId("large"));
        fail("work", "a", "b");
        assertThat(bus.inspect("work").deadLetters()).isEqualTo(2);

        ServiceBusReceiverClient morgue = clients.receiver("morgue");
        morgue.complete(Clients.receiveOne(morgue));
        List<ServiceBusReceivedMessage> followed = Clients.receive(morgue, 2);
        assertThat(Clients.ids(followed)).containsExactly("a", "b");
        assertThat(followed.get(0).getDeadLetterSource()).isEqualTo("work");
        assertThat(bus.inspect("work").deadLetters()).isZero();
    }

    @Test
    void dead_letters_whose_target_is_disabled_follow_once_it_is_enabled() {
        bus.update("morgue", q -> q.status(EntityStatus.SEND_DISABLED));
        fail("work", "a");
        assertThat(bus.inspect("work").deadLetters()).isEqualTo(1);
        bus.update("morgue", q -> q.status(EntityStatus.ACTIVE));
        await().until(() -> bus.inspect("morgue").active() == 1);
        assertThat(bus.inspect("work").deadLetters()).isZero();
    }

    @Test
    void dead_letters_whose_target_is_gone_follow_once_it_is_there_again() {
        bus.delete("morgue");
        fail("work", "a");
        assertThat(bus.inspect("work").deadLetters()).isEqualTo(1);
        bus.createQueue("morgue", q -> q);
        await().until(() -> bus.inspect("morgue").active() == 1);
        assertThat(bus.inspect("work").deadLetters()).isZero();
    }

    @Test
    void dead_letters_that_lie_there_when_forwarding_begins_are_forwarded_and_the_locked_one_when_it_comes_back() {
        fail("free", "a", "b");
        ServiceBusReceiverClient dead = clients.deadLetters("free");
        ServiceBusReceivedMessage held = Clients.receiveOne(dead);
        bus.update("free", q -> q.forwardDeadLettersTo("morgue"));
        assertThat(bus.inspect("morgue").active()).isEqualTo(1);
        dead.abandon(held);
        await().until(() -> bus.inspect("morgue").active() == 2);
        assertThat(bus.inspect("free").deadLetters()).isZero();
    }

    @Test
    void a_dead_letter_that_its_target_never_takes_holds_up_no_other() {
        bus.update("work", q -> q.forwardDeadLettersTo("strict"));
        fail("work", "no session");
        clients.sender("work").sendMessage(Clients.message("a", "w1"));
        bus.update("strict", q -> q.status(EntityStatus.SEND_DISABLED));
        ServiceBusReceiverClient receiver = clients.receiver("work");
        receiver.abandon(Clients.receiveOne(receiver));
        assertThat(bus.inspect("work").deadLetters()).isEqualTo(2);
        bus.update("strict", q -> q.status(EntityStatus.ACTIVE));
        await().until(() -> bus.inspect("strict").active() == 1);
        assertThat(bus.inspect("work").deadLetters()).isEqualTo(1);
    }

    @Test
    void a_dead_letter_that_was_not_forwarded_has_no_source() {
        bus.delete("morgue");
        fail("work", "a");
        bus.update("work", q -> q.forwardDeadLettersTo(null));
        assertThat(Clients.receiveOne(clients.deadLetters("work")).getDeadLetterSource())
                .isNull();
    }
}
