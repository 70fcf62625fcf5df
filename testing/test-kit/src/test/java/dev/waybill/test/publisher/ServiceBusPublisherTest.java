package dev.waybill.test.publisher;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.relay.Publisher;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** The publisher for Azure Service Bus keeps the contract. Here and not in its module, which the test kit stands on. */
@Timeout(60)
class ServiceBusPublisherTest extends PublisherContract {
    @Override
    protected PublisherSetup setUp() {
        return new ServiceBusSetup();
    }

    private static final class ServiceBusSetup implements PublisherSetup {
        private static final Duration LONGEST_SEND = Duration.ofSeconds(4);

        private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                .queue("orders", QueueOptions::requiresSession)
                .start();
        private final List<String> refused = new ArrayList<>();

        @Override
        public Publisher publisher() {
            return ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                    .withSendDeadline(LONGEST_SEND);
        }

        @Override
        public List<String> arrived() {
            return bus.journal("orders").stored().stream()
                    .map(Stored::messageId)
                    .toList();
        }

        @Override
        public void refuse(String messageId) {
            refused.add(messageId);
            bus.faults()
                    .at(FaultPoint.BEFORE_STORE)
                    .when(event -> event.messageIds().stream().anyMatch(refused::contains))
                    .then(FaultAction.reject(BrokerError.ARGUMENT_ERROR));
        }

        @Override
        public void become(BrokerState state) {
            bus.faults().clear();
            switch (state) {
                case AVAILABLE -> {}
                case UNAVAILABLE ->
                    List.of(FaultPoint.CONNECT, FaultPoint.BEFORE_STORE)
                            .forEach(point -> bus.faults().at(point).then(FaultAction.dropConnection()));
                case SILENT -> bus.faults().at(FaultPoint.BEFORE_STORE).then(FaultAction.swallow());
            }
        }

        @Override
        public void close() {
            bus.close();
        }
    }
}
