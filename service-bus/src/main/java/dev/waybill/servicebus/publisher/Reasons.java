package dev.waybill.servicebus.publisher;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishException;
import dev.waybill.relay.PublishResult;
import dev.waybill.servicebus.ServiceBusError;
import java.nio.BufferOverflowException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** Short reasons of failures, equal for equal causes. */
final class Reasons {
    private static final String TOO_LARGE = ServiceBusError.TOO_LARGE.condition();

    private static final Set<Outcome> REFUSALS =
            Set.of(Outcome.MESSAGE_REFUSED, Outcome.UNEXPLAINED, Outcome.DESTINATION_REFUSED);

    private Reasons() {}

    /** Adds the reason to the failure of a refusal. */
    static PublishResult named(PublishResult result) {
        @Nullable Throwable failure = result.failure();
        return failure == null || !REFUSALS.contains(result.outcome())
                ? result
                : new PublishResult(result.accepted(), result.outcome(), new PublishException(of(failure), failure));
    }

    /** The AMQP condition, or the SDK's reason, or the exception's type. */
    static String of(Throwable failure) {
        for (Throwable cause : ServiceBusError.chain(failure)) {
            @Nullable String known = known(cause);
            if (known != null) {
                return known;
            }
        }
        @Nullable String told = told(failure);
        return told == null ? Exceptions.unwrap(failure).getClass().getSimpleName() : told;
    }

    private static @Nullable String known(Throwable cause) {
        if (cause instanceof Unsendable) {
            return cause.getCause() == null ? TOO_LARGE : "Unsendable";
        }
        if (cause instanceof Misconfigured) {
            return "Misconfigured";
        }
        if (cause instanceof BufferOverflowException) {
            return TOO_LARGE;
        }
        @Nullable String condition = ServiceBusError.conditionOf(cause);
        @Nullable ServiceBusError error = ServiceBusError.of(cause);
        return condition != null || error == null ? condition : error.condition();
    }

    private static @Nullable String told(Throwable failure) {
        for (Throwable cause : ServiceBusError.chain(failure)) {
            if (cause instanceof ServiceBusException exception
                    && !ServiceBusFailureReason.GENERAL_ERROR.equals(exception.getReason())) {
                return exception.getReason().toString();
            }
        }
        return null;
    }
}
