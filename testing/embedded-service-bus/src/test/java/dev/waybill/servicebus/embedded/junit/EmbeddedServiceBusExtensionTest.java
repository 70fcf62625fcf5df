package dev.waybill.servicebus.embedded.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@EmbeddedOnly("is about the extension of the embedded broker")
class EmbeddedServiceBusExtensionTest {
    private static void send(EmbeddedServiceBus bus) {
        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("orders")
                .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("x"));
        }
    }

    @Nested
    class InAnInstanceField {
        @RegisterExtension
        final EmbeddedServiceBusExtension extension = EmbeddedServiceBusExtension.with(b -> b.queue("orders"));

        @RepeatedTest(2)
        void every_test_gets_a_broker_of_its_own(EmbeddedServiceBus bus) {
            send(bus);
            assertThat(bus.journal("orders").stored()).hasSize(1);
            assertThat(extension.bus()).isSameAs(bus);
            assertThat(extension.connectionString()).isEqualTo(bus.connectionString());
        }
    }

    @Nested
    class InAStaticField {
        @RegisterExtension
        static final EmbeddedServiceBusExtension EXTENSION = EmbeddedServiceBusExtension.with(b -> b.queue("orders"));

        private static final Set<EmbeddedServiceBus> SEEN = new HashSet<>();

        @RepeatedTest(2)
        void tests_share_a_broker_and_not_their_faults(EmbeddedServiceBus bus) {
            SEEN.add(bus);
            assertThat(SEEN).hasSize(1);
            send(bus);
            bus.faults().at(FaultPoint.BEFORE_STORE).then(FaultAction.reject(BrokerError.NOT_ALLOWED));
        }
    }

    @Test
    void outside_a_test_there_is_no_broker() {
        EmbeddedServiceBusExtension extension = EmbeddedServiceBusExtension.with(b -> b);
        assertThatThrownBy(extension::bus).isInstanceOf(IllegalStateException.class);
    }
}
