package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.MessageIds;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages with an empty MessageId, which AMQP allows. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class NamelessMessagesTest {
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, broker -> broker.queue("orders"));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    void a_recreated_queue_that_begins_its_numbers_again_loses_none_of_them() {
        InboxConsumer consumer = it.consume(it.messages("orders"), it::effect);
        send();
        await().until(() -> it.effects().size() == 1);
        consumer.close();
        it.bus.delete("orders");
        it.bus.createQueue("orders", queue -> queue);
        it.bus.advance(Duration.ofSeconds(1));

        it.consume(it.messages("orders"), it::effect);
        send();

        await().until(() -> it.effects().size() == 2);
        assertThat(it.effects()).doesNotHaveDuplicates().allMatch(id -> id.startsWith("orders#1@"));
    }

    @Test
    void a_dead_letter_has_the_id_that_the_consumer_knows() {
        var seen = new LinkedBlockingQueue<String>();
        it.consume(it.messages("orders"), (tx, message) -> {
            seen.add(message.id());
            return Verdict.deadLetter("Bad", "not today");
        });
        send();

        assertThat(MessageIds.logical(it.receiveDeadLetter("orders"), "orders")).isEqualTo(seen.peek());
    }

    private void send() {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("pay 1").setMessageId(""));
        }
    }
}
