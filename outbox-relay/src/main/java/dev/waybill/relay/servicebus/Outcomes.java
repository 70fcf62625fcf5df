package dev.waybill.relay.servicebus;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.waybill.relay.Outcome;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the SDK's exceptions mean: the only place that knows. What it does not know is nobody's fault. */
final class Outcomes {
    private static final Map<ServiceBusFailureReason, Outcome> REASONS = Map.of(
            ServiceBusFailureReason.SERVICE_BUSY, Outcome.THROTTLED,
            ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED, Outcome.MESSAGE_REFUSED,
            ServiceBusFailureReason.QUOTA_EXCEEDED, Outcome.DESTINATION_REFUSED,
            ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND, Outcome.DESTINATION_REFUSED,
            ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED, Outcome.DESTINATION_REFUSED,
            ServiceBusFailureReason.UNAUTHORIZED, Outcome.DESTINATION_REFUSED);

    // The SDK has no reason of its own for these.
    private static final Set<AmqpErrorCondition> OF_THE_MESSAGE = Set.of(
            AmqpErrorCondition.ARGUMENT_ERROR,
            AmqpErrorCondition.ARGUMENT_OUT_OF_RANGE_ERROR,
            AmqpErrorCondition.NOT_ALLOWED,
            AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED);

    // Nor a condition for this one, which stands in the text.
    private static final String INVALID_FIELD = "amqp:invalid-field";

    private Outcomes() {}

    /** What an answer to a send means for the messages in it. */
    static Outcome ofSend(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            @Nullable Outcome known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return Outcome.UNAVAILABLE;
    }

    /** The same while nothing has been sent yet: no message can be to blame. */
    static Outcome ofConnect(Throwable failure) {
        Outcome outcome = ofSend(failure);
        return outcome == Outcome.MESSAGE_REFUSED ? Outcome.DESTINATION_REFUSED : outcome;
    }

    private static @Nullable Outcome known(Throwable cause) {
        if (cause instanceof Unsendable) {
            return Outcome.MESSAGE_REFUSED;
        }
        if (cause instanceof ServiceBusException exception) {
            return REASONS.get(exception.getReason());
        }
        if (cause instanceof AmqpException exception) {
            return isOfTheMessage(exception) ? Outcome.MESSAGE_REFUSED : null;
        }
        // What the SDK makes of amqp:not-allowed, such as a message without the session that its queue requires.
        if (cause instanceof UnsupportedOperationException) {
            return Outcome.MESSAGE_REFUSED;
        }
        return cause instanceof ClientAuthenticationException ? Outcome.DESTINATION_REFUSED : null;
    }

    private static boolean isOfTheMessage(AmqpException exception) {
        @Nullable AmqpErrorCondition condition = exception.getErrorCondition();
        if (condition != null) {
            return OF_THE_MESSAGE.contains(condition);
        }
        return String.valueOf(exception.getMessage()).contains(INVALID_FIELD);
    }
}
