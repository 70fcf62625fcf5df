package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages with an id of their own and the properties of another one, as a service or a tool passes them on. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class CopiedPropertiesTest {
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
    void an_empty_body_whose_claim_is_not_believed_is_a_dead_letter_and_not_handled_as_empty() {
        it.consume(it.messages("orders"), (tx, message) -> {
            assertThat(message.text()).isNotNull();
            return it.effect(tx, message);
        });

        send("", Map.of("waybill-id", "m1", "waybill-claim", UUID.randomUUID().toString()));

        var dead = it.receiveDeadLetter("orders");
        assertThat(dead.getDeadLetterReason()).endsWith("UnreadableBodyException");
        assertThat(dead.getDeadLetterErrorDescription()).contains("which is not believed", "'copy'");
        assertThat(it.effects()).isEmpty();
    }

    @Test
    void a_foreign_property_is_kept_whatever_its_name_begins_with() {
        var seen = new LinkedBlockingQueue<Map<String, Object>>();
        it.consume(it.messages("orders"), (tx, message) -> {
            seen.add(message.headers());
            return it.effect(tx, message);
        });

        send("x", Map.of("waybill-number", "WB-17", "Waybill-Redrive", 3, "waybill-id", "m1"));

        await().until(() -> !seen.isEmpty());
        assertThat(seen.peek()).isEqualTo(Map.of("waybill-number", "WB-17"));
    }

    private void send(String body, Map<String, Object> properties) {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            var message = new ServiceBusMessage(body).setMessageId("copy");
            message.getApplicationProperties().putAll(properties);
            sender.sendMessage(message);
        }
    }
}
