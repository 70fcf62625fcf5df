package dev.waybill.servicebus.receiver;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.waybill.inbox.EntityDescription;
import java.time.Duration;

/** The options of every client of the SDK. */
final class ClientOptions {
    /**
     * We try again ourselves. The time-out is also how long the broker holds a wait for a session before the SDK
     * asks anew.
     */
    static final AmqpRetryOptions RETRIES =
            new AmqpRetryOptions().setTryTimeout(Duration.ofSeconds(20)).setMaxRetries(0);

    private ClientOptions() {}

    static ServiceBusReceiveMode mode(EntityDescription facts) {
        return facts.deletesOnReceive() ? ServiceBusReceiveMode.RECEIVE_AND_DELETE : ServiceBusReceiveMode.PEEK_LOCK;
    }
}
