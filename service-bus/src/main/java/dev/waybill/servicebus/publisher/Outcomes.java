package dev.waybill.servicebus.publisher;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.exception.ClientAuthenticationException;
import dev.waybill.relay.Outcome;
import java.nio.BufferOverflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Classifies the SDK's exceptions; no other class does. For an unknown exception no message is at fault. */
final class Outcomes {
    /** A limit for cyclic causes. */
    private static final int DEEPEST = 20;

    // By condition, because the SDK loses its own reason when it wraps errors that it would have retried.
    private static final Map<AmqpErrorCondition, Outcome> CONDITIONS = Map.of(
            AmqpErrorCondition.SERVER_BUSY_ERROR, Outcome.THROTTLED,
            AmqpErrorCondition.RESOURCE_LIMIT_EXCEEDED, Outcome.DESTINATION_REFUSED,
            AmqpErrorCondition.NOT_FOUND, Outcome.DESTINATION_REFUSED,
            AmqpErrorCondition.ENTITY_DISABLED_ERROR, Outcome.DESTINATION_REFUSED,
            AmqpErrorCondition.UNAUTHORIZED_ACCESS, Outcome.DESTINATION_REFUSED,
            AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED, Outcome.MESSAGE_REFUSED,
            AmqpErrorCondition.ARGUMENT_ERROR, Outcome.MESSAGE_REFUSED,
            AmqpErrorCondition.ARGUMENT_OUT_OF_RANGE_ERROR, Outcome.MESSAGE_REFUSED,
            AmqpErrorCondition.NOT_ALLOWED, Outcome.MESSAGE_REFUSED);

    // The SDK has no constant for this condition; only the text has it.
    private static final String INVALID_FIELD = "amqp:invalid-field";

    // The SDK's text if the link was lost while it opened, or the broker has not sent its size
    // (ReactorSender#getLinkSize).
    private static final String LINK_WITHOUT_SIZE = "maximum message size: 0 kb";

    private Outcomes() {}

    /** Classifies the failure of a send. */
    static Outcome ofSend(Throwable failure) {
        for (Throwable cause : chain(failure)) {
            // An Error may have any cause.
            if (cause instanceof Error) {
                return Outcome.UNAVAILABLE;
            }
            @Nullable Outcome known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return Outcome.UNAVAILABLE;
    }

    static List<Throwable> chain(Throwable failure) {
        var chain = new ArrayList<Throwable>();
        for (@Nullable Throwable cause = failure; cause != null && chain.size() < DEEPEST; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    /** Classifies a failure before the send, where no message can be at fault. */
    static Outcome ofConnect(Throwable failure) {
        Outcome outcome = ofSend(failure);
        return outcome == Outcome.MESSAGE_REFUSED ? Outcome.DESTINATION_REFUSED : outcome;
    }

    private static @Nullable Outcome known(Throwable cause) {
        if (cause instanceof Unsendable) {
            return Outcome.MESSAGE_REFUSED;
        }
        if (cause instanceof AmqpException exception) {
            return known(exception);
        }
        // The SDK's exception if a message is larger than estimated. If the message is alone, another check recognizes
        // a link without a size.
        if (cause instanceof BufferOverflowException) {
            return Outcome.MESSAGE_REFUSED;
        }
        // The SDK's exception for amqp:not-allowed, such as a missing session.
        if (cause instanceof UnsupportedOperationException) {
            return Outcome.MESSAGE_REFUSED;
        }
        return cause instanceof ClientAuthenticationException ? Outcome.DESTINATION_REFUSED : null;
    }

    // The SDK, not the broker, has rejected a message that overflows a buffer.
    private static @Nullable Outcome known(AmqpException exception) {
        if (exception.getCause() instanceof BufferOverflowException) {
            return String.valueOf(exception.getMessage()).contains(LINK_WITHOUT_SIZE)
                    ? Outcome.UNAVAILABLE
                    : Outcome.MESSAGE_REFUSED;
        }
        @Nullable AmqpErrorCondition condition = exception.getErrorCondition();
        if (condition != null) {
            return CONDITIONS.get(condition);
        }
        return fieldCondition(exception) == null ? null : Outcome.MESSAGE_REFUSED;
    }

    static @Nullable String fieldCondition(AmqpException exception) {
        return String.valueOf(exception.getMessage()).contains(INVALID_FIELD) ? INVALID_FIELD : null;
    }
}
