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

/** Classifies the SDK's exceptions; no other class does. An unknown exception counts as nobody's fault. */
final class Outcomes {
    /** Deep enough for every library, and an end for causes that go round in a circle. */
    private static final int DEEPEST = 20;

    // By condition and not by the SDK's own reason, which is lost where it wraps what it would have tried again.
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

    // The SDK knows no condition for this one; it stands in the text.
    private static final String INVALID_FIELD = "amqp:invalid-field";

    // The SDK's words when the link was lost while it opened, or the broker has not told the size that it takes
    // (ReactorSender#getLinkSize).
    private static final String LINK_WITHOUT_SIZE = "maximum message size: 0 kb";

    private Outcomes() {}

    /** Classifies the answer to a send for the messages in it. */
    static Outcome ofSend(Throwable failure) {
        for (Throwable cause : chain(failure)) {
            // An error may be anybody's, whatever has caused it.
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

    /** A failure and its causes. */
    static List<Throwable> chain(Throwable failure) {
        var chain = new ArrayList<Throwable>();
        for (@Nullable Throwable cause = failure; cause != null && chain.size() < DEEPEST; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
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
        if (cause instanceof AmqpException exception) {
            return known(exception);
        }
        // So the SDK ends a batch in which one message is larger than it has reckoned; alone, that one is told
        // from a link without a size.
        if (cause instanceof BufferOverflowException) {
            return Outcome.MESSAGE_REFUSED;
        }
        // The SDK's form of amqp:not-allowed, such as a message without the session that its queue requires.
        if (cause instanceof UnsupportedOperationException) {
            return Outcome.MESSAGE_REFUSED;
        }
        return cause instanceof ClientAuthenticationException ? Outcome.DESTINATION_REFUSED : null;
    }

    // A message that overflows a buffer was refused by the SDK before it was sent, not by the broker.
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
