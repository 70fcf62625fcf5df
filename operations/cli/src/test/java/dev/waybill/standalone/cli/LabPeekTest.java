package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The id that a look at a queue shows is the one that a consumer would take. */
@Timeout(60)
class LabPeekTest {
    @Test
    void an_id_that_was_copied_from_another_message_is_not_shown_as_the_messages_own(@TempDir Path directory) {
        try (var bus = EmbeddedServiceBus.builder()
                .queue("orders")
                .administrationPort(0)
                .start()) {
            Program program = Program.with(directory, """
                    namespace:
                      main:
                        tier: premium
                        connection-string: "%s"
                        administration-endpoint: "http://127.0.0.1:%d"
                    destination: { orders: {} }
                    """.formatted(bus.connectionString(), bus.administrationPort()));
            send(bus, "own", "own");
            send(bus, "reply-1", "own");

            var shown = program.run("lab", "peek", "orders", "--json").json();

            assertThat(shown).extracting(row -> row.get("messageId").asText()).containsExactly("own", "reply-1");
            assertThat(shown).extracting(row -> row.get("id").asText()).containsExactly("own", "");
        }
    }

    private static void send(EmbeddedServiceBus bus, String messageId, String copied) {
        var message = new ServiceBusMessage("x").setMessageId(messageId);
        message.getApplicationProperties().put("waybill-id", copied);
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("orders")
                .buildClient()) {
            sender.sendMessage(message);
        }
    }
}
