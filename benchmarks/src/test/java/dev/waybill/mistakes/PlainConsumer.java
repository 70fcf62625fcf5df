package dev.waybill.mistakes;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.waybill.test.TestWaybill;
import java.time.Duration;
import javax.sql.DataSource;

/** The ledger without Waybill: it books what Azure's client receives, and remembers no id. */
final class PlainConsumer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final DataSource dataSource;
    private final ServiceBusReceiverClient receiver;

    private final Runnable disconnect;

    private PlainConsumer(TestWaybill waybill, ServiceBusReceiverClient receiver, Runnable disconnect) {
        dataSource = waybill.dataSource();
        this.receiver = receiver;
        this.disconnect = disconnect;
    }

    static PlainConsumer of(TestWaybill waybill) {
        return of(waybill, ServiceBusReceiveMode.PEEK_LOCK);
    }

    static PlainConsumer of(TestWaybill waybill, ServiceBusReceiveMode mode) {
        var receivers = client(waybill).receiver().queueName(Wallets.QUEUE).receiveMode(mode);
        var receiver = receivers.disableAutoComplete().buildClient();
        return new PlainConsumer(waybill, receiver, () -> {});
    }

    static PlainConsumer ofNextSession(TestWaybill waybill) {
        var receivers = client(waybill).sessionReceiver().queueName(Wallets.QUEUE);
        var sessions = receivers.disableAutoComplete().buildClient();
        return new PlainConsumer(waybill, sessions.acceptNextSession(), sessions::close);
    }

    private static ServiceBusClientBuilder client(TestWaybill waybill) {
        return new ServiceBusClientBuilder().connectionString(waybill.connectionString());
    }

    /** The next message; there must be one. */
    ServiceBusReceivedMessage receive() {
        return receiver.receiveMessages(1, PATIENCE).stream().findFirst().orElseThrow();
    }

    void book(ServiceBusReceivedMessage message) {
        Wallets.dsl(dataSource)
                .transaction(work -> Wallets.book(
                        work.dsl(),
                        message.getMessageId(),
                        message.getSessionId(),
                        message.getBody().toString()));
    }

    /** Books the next message and completes it, or abandons it. */
    void turn() {
        ServiceBusReceivedMessage message = receive();
        try {
            book(message);
        } catch (NumberFormatException unreadable) {
            receiver.abandon(message);
            return;
        }
        receiver.complete(message);
    }

    void defer(ServiceBusReceivedMessage message) {
        receiver.defer(message);
    }

    /** What a crash does as well: messages in hand are not settled. */
    @Override
    public void close() {
        receiver.close();
        disconnect.run();
    }
}
