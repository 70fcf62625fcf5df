package dev.waybill.relay.servicebus;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import dev.waybill.relay.Outcome;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Exceptions;

class OutcomesTest {
    @ParameterizedTest
    @CsvSource({
        "SERVER_BUSY_ERROR, THROTTLED",
        "RESOURCE_LIMIT_EXCEEDED, DESTINATION_REFUSED",
        "NOT_FOUND, DESTINATION_REFUSED",
        "ENTITY_DISABLED_ERROR, DESTINATION_REFUSED",
        "UNAUTHORIZED_ACCESS, DESTINATION_REFUSED",
        "LINK_PAYLOAD_SIZE_EXCEEDED, MESSAGE_REFUSED",
        "ARGUMENT_ERROR, MESSAGE_REFUSED",
        "TIMEOUT_ERROR, UNAVAILABLE",
        "INTERNAL_ERROR, UNAVAILABLE",
        "LINK_DETACH_FORCED, UNAVAILABLE",
        "CONNECTION_FORCED, UNAVAILABLE"
    })
    void a_condition_means_the_same_however_the_sdk_wraps_it(AmqpErrorCondition condition, Outcome expected) {
        var bare = new AmqpException(true, condition, "why", null);

        assertThat(Outcomes.ofSend(bare)).isEqualTo(expected);
        assertThat(Outcomes.ofSend(new ServiceBusException(bare, ServiceBusErrorSource.SEND)))
                .isEqualTo(expected);
        assertThat(Outcomes.ofSend(new ServiceBusException(
                        Exceptions.retryExhausted("Retries exhausted: 0/0", bare), ServiceBusErrorSource.SEND)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(AmqpErrorCondition.class)
    void before_anything_was_sent_no_message_is_to_blame(AmqpErrorCondition condition) {
        assertThat(Outcomes.ofConnect(new AmqpException(false, condition, "why", null)))
                .isNotEqualTo(Outcome.MESSAGE_REFUSED);
    }

    @Test
    void what_is_not_known_is_nobodys_fault() {
        assertThat(Outcomes.ofSend(new TimeoutException())).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(Outcomes.ofSend(new IllegalStateException("closed"))).isEqualTo(Outcome.UNAVAILABLE);
    }
}
