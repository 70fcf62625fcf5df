package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishException;
import dev.waybill.relay.PublishResult;
import java.nio.BufferOverflowException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Exceptions;

class ReasonsTest {
    @ParameterizedTest
    @CsvSource({
        "LINK_PAYLOAD_SIZE_EXCEEDED, amqp:link:message-size-exceeded",
        "NOT_ALLOWED, amqp:not-allowed",
        "NOT_FOUND, amqp:not-found",
        "ENTITY_DISABLED_ERROR, com.microsoft:entity-disabled",
        "UNAUTHORIZED_ACCESS, amqp:unauthorized-access"
    })
    void a_refusal_is_named_by_the_brokers_condition_however_the_sdk_wraps_it(
            AmqpErrorCondition condition, String expected) {
        var bare = new AmqpException(false, condition, "why", null);

        assertThat(Reasons.of(bare)).isEqualTo(expected);
        assertThat(Reasons.of(new ServiceBusException(bare, ServiceBusErrorSource.SEND)))
                .isEqualTo(expected);
        assertThat(Reasons.of(new ServiceBusException(
                        Exceptions.retryExhausted("Retries exhausted: 0/0", bare), ServiceBusErrorSource.SEND)))
                .isEqualTo(expected);
    }

    @Test
    void what_the_sdk_refuses_by_itself_has_the_word_that_the_broker_would_have_used() {
        var missingSession = new UnsupportedOperationException("The SessionId was not set on a message");
        assertThat(Reasons.of(new ServiceBusException(missingSession, ServiceBusErrorSource.SEND)))
                .isEqualTo("amqp:not-allowed");
        assertThat(Reasons.of(new ServiceBusException(new BufferOverflowException(), ServiceBusErrorSource.SEND)))
                .isEqualTo("amqp:link:message-size-exceeded");
        assertThat(Reasons.of(new ServiceBusException(
                        new AmqpException(false, "amqp:invalid-field in it", null), ServiceBusErrorSource.SEND)))
                .isEqualTo("amqp:invalid-field");
    }

    @Test
    void what_has_no_condition_is_named_by_its_type_and_what_was_no_refusal_is_left_as_it_is() {
        assertThat(Reasons.of(new TimeoutException())).isEqualTo("TimeoutException");
        var away = PublishResult.failed(1, new TimeoutException());
        assertThat(Reasons.named(away)).isSameAs(away);
        assertThat(Reasons.named(new PublishResult(1, Outcome.DESTINATION_REFUSED, new TimeoutException("x"))))
                .satisfies(result -> assertThat(result.failure())
                        .isInstanceOf(PublishException.class)
                        .hasMessage("x"));
    }
}
