package dev.waybill.servicebus.receiver;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.waybill.inbox.EntityDescription;
import java.time.Duration;

/** Options of all SDK clients. */
final class ClientOptions {
    /** No retries, because consumers retry. The timeout also limits how long a request for a session waits at the broker. */
    static final AmqpRetryOptions RETRIES =
            new AmqpRetryOptions().setTryTimeout(Duration.ofSeconds(20)).setMaxRetries(0);

    private ClientOptions() {}

    static ServiceBusReceiveMode mode(EntityDescription facts) {
        return facts.deletesOnReceive() ? ServiceBusReceiveMode.RECEIVE_AND_DELETE : ServiceBusReceiveMode.PEEK_LOCK;
    }
}
