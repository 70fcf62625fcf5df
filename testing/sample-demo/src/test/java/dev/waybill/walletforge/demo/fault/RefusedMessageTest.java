package dev.waybill.walletforge.demo.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Holds;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.servicebus.Entities;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class RefusedMessageTest {
    @Test
    void no_session_is_held_whose_dead_letters_the_run_waits_for(TestDatabase database) {
        try (var bus = EmbeddedBus.start(10, Duration.ofSeconds(30), 1);
                var sender = sender(bus)) {
            var holds = Holds.ofOutbox(database.dataSource(), new SchemaName("waybill"));
            new RefusedMessage(bus, holds, id -> id.startsWith("corrupt")).begin();

            sender.sendMessage(message("corrupt-1"));
            assertThatThrownBy(() -> sender.sendMessage(message("other-1"))).isInstanceOf(ServiceBusException.class);
            sender.sendMessage(message("corrupt-2"));
            sender.sendMessage(message("other-2"));

            assertThat(bus.hasStored("other-1")).isFalse();
            assertThat(bus.published()).isEqualTo(3);
        }
    }

    private static ServiceBusSenderClient sender(EmbeddedBus bus) {
        return new ServiceBusClientBuilder()
                .connectionString(bus.address().value())
                .sender()
                .queueName(Entities.WALLET_TX)
                .buildClient();
    }

    private static ServiceBusMessage message(String id) {
        return new ServiceBusMessage(id).setMessageId(id).setSessionId("w");
    }
}
