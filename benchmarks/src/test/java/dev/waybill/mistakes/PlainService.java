package dev.waybill.mistakes;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.test.TestWaybill;

/** The service without an outbox: it commits a payment, then sends its message within the request, which has no time for retries. */
final class PlainService implements AutoCloseable {
    private final TestWaybill waybill;
    private final ServiceBusSenderClient sender;

    PlainService(TestWaybill waybill, String connectionString) {
        this.waybill = waybill;
        sender = new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0))
                .sender()
                .queueName(Wallets.QUEUE)
                .buildClient();
    }

    /** Returns whether the broker has taken the message. The payment is committed either way. */
    boolean pay(String id, String wallet, String cents) {
        waybill.outbox().inTransaction(tx -> Wallets.request(tx, id));
        try {
            sender.sendMessage(new ServiceBusMessage(cents).setMessageId(id).setSessionId(wallet));
            return true;
        } catch (ServiceBusException logged) {
            return false;
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
