package dev.waybill.mistakes;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.test.TestWaybill;
import java.time.Duration;
import java.util.function.BiConsumer;

/** An operator without Waybill, who decides about dead letters by a script. */
final class PlainOperator {
    private PlainOperator() {}

    /** Sends a copy of the dead letter to its queue and completes it. */
    static void sendAgain(TestWaybill waybill) {
        decide(waybill, (builder, receiver) -> {
            try (var sender = builder.sender().queueName(Wallets.QUEUE).buildClient()) {
                var letter = next(receiver);
                sender.sendMessage(new ServiceBusMessage(letter));
                receiver.complete(letter);
            }
        });
    }

    static void purge(TestWaybill waybill) {
        decide(waybill, (builder, receiver) -> receiver.complete(next(receiver)));
    }

    private static void decide(
            TestWaybill waybill, BiConsumer<ServiceBusClientBuilder, ServiceBusReceiverClient> decision) {
        var builder = new ServiceBusClientBuilder().connectionString(waybill.connectionString());
        var letters = builder.receiver().queueName(Wallets.QUEUE).subQueue(SubQueue.DEAD_LETTER_QUEUE);
        try (var receiver = letters.disableAutoComplete().buildClient()) {
            decision.accept(builder, receiver);
        }
    }

    private static ServiceBusReceivedMessage next(ServiceBusReceiverClient receiver) {
        return receiver.receiveMessages(1, Duration.ofSeconds(30)).stream()
                .findFirst()
                .orElseThrow();
    }
}
