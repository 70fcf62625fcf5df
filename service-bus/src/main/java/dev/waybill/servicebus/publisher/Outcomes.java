package dev.waybill.servicebus.publisher;

import com.azure.core.amqp.exception.AmqpException;
import dev.waybill.relay.Outcome;
import dev.waybill.servicebus.ErrorClass;
import dev.waybill.servicebus.ServiceBusError;
import java.nio.BufferOverflowException;
import org.jspecify.annotations.Nullable;

/** The outcome of a failed send: the class of the broker's error, or of an exception of the SDK. For others no message is at fault. */
final class Outcomes {
    // The SDK's text if the link was lost while it opened, or the broker has not sent its size
    // (ReactorSender#getLinkSize).
    private static final String LINK_WITHOUT_SIZE = "maximum message size: 0 kb";

    private Outcomes() {}

    /** Classifies the failure of a send. */
    static Outcome ofSend(Throwable failure) {
        for (Throwable cause : ServiceBusError.chain(failure)) {
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

    /** Classifies a failure before the send, where no message can be at fault. */
    static Outcome ofConnect(Throwable failure) {
        return switch (ofSend(failure)) {
            case MESSAGE_REFUSED -> Outcome.DESTINATION_REFUSED;
            case UNEXPLAINED -> Outcome.UNAVAILABLE;
            case ACCEPTED, NOT_SENT, UNAVAILABLE -> Outcome.UNAVAILABLE;
            case THROTTLED -> Outcome.THROTTLED;
            case DESTINATION_REFUSED -> Outcome.DESTINATION_REFUSED;
        };
    }

    private static @Nullable Outcome known(Throwable cause) {
        if (cause instanceof Unsendable) {
            return Outcome.MESSAGE_REFUSED;
        }
        if (cause instanceof Misconfigured) {
            return Outcome.DESTINATION_REFUSED;
        }
        // The SDK, not the broker, has rejected a message that overflows a buffer.
        if (cause instanceof AmqpException && cause.getCause() instanceof BufferOverflowException) {
            return String.valueOf(cause.getMessage()).contains(LINK_WITHOUT_SIZE)
                    ? Outcome.UNAVAILABLE
                    : Outcome.MESSAGE_REFUSED;
        }
        // The SDK's exception if a message is larger than estimated. If the message is alone, another check recognizes
        // a link without a size.
        if (cause instanceof BufferOverflowException) {
            return Outcome.MESSAGE_REFUSED;
        }
        @Nullable ServiceBusError error = ServiceBusError.of(cause);
        if (error != null) {
            return of(error.type());
        }
        // An undocumented condition may be the message's fault.
        return ServiceBusError.conditionOf(cause) == null ? null : Outcome.UNEXPLAINED;
    }

    static Outcome of(ErrorClass type) {
        return switch (type) {
            case PASSING, LOCK_LOST -> Outcome.UNAVAILABLE;
            case THROTTLED -> Outcome.THROTTLED;
            case UNEXPLAINED -> Outcome.UNEXPLAINED;
            case DESTINATION -> Outcome.DESTINATION_REFUSED;
            case MESSAGE -> Outcome.MESSAGE_REFUSED;
        };
    }
}
