package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusErrorSource;
import com.azure.messaging.servicebus.ServiceBusException;
import dev.waybill.relay.Outcome;
import java.nio.BufferOverflowException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        "INTERNAL_ERROR, UNEXPLAINED",
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
                .isNotIn(Outcome.MESSAGE_REFUSED, Outcome.UNEXPLAINED);
    }

    @Test
    void a_message_that_is_too_large_for_a_link_of_unknown_size_is_not_to_blame() {
        assertThat(Outcomes.ofSend(overflow("Size of the payload exceeded maximum message size: 0 kb")))
                .isEqualTo(Outcome.UNAVAILABLE);
    }

    @Test
    void a_message_that_the_sdk_cannot_encode_is_refused_and_stops_nobody_else() {
        assertThat(Outcomes.ofSend(overflow("Size of the payload exceeded maximum message size: 256 kb")))
                .isEqualTo(Outcome.MESSAGE_REFUSED);
        assertThat(Outcomes.ofSend(new ServiceBusException(new BufferOverflowException(), ServiceBusErrorSource.SEND)))
                .isEqualTo(Outcome.MESSAGE_REFUSED);
    }

    private static ServiceBusException overflow(String message) {
        var overflow = new AmqpException(
                false, AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED, message, new BufferOverflowException(), null);
        return new ServiceBusException(overflow, ServiceBusErrorSource.SEND);
    }

    @Test
    void an_error_blames_no_message_whatever_has_caused_it() {
        for (Throwable cause : List.of(new UnsupportedOperationException("planted"), new BufferOverflowException())) {
            assertThat(Outcomes.ofSend(
                            new IllegalStateException("not encoded", new ExceptionInInitializerError(cause))))
                    .isEqualTo(Outcome.UNAVAILABLE);
        }
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void causes_that_go_round_in_a_circle_come_to_an_end() {
        var one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));

        assertThat(Outcomes.ofSend(one)).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(Reasons.of(one)).isEqualTo("IllegalStateException");
    }

    @Test
    void what_is_not_known_is_nobodys_fault() {
        assertThat(Outcomes.ofSend(new TimeoutException())).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(Outcomes.ofSend(new IllegalStateException("closed"))).isEqualTo(Outcome.UNAVAILABLE);
    }
}
