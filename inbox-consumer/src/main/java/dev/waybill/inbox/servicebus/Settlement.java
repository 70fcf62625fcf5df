package dev.waybill.inbox.servicebus;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Waits for the broker's word on a settlement, not longer than a deadline. A settlement that fails is not tried again: the
 * SDK has forgotten the delivery by then, and the inbox absorbs the next one.
 */
final class Settlement {
    /** The SDK's own time-out is longer than most locks (azure-sdk-for-java issue 43830). */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private Settlement() {}

    static void await(Mono<Void> settlement, InboundMessage message) {
        try {
            settlement.block(DEADLINE);
        } catch (RuntimeException e) {
            throw new LockLostException("The settlement of message '" + message.id() + "' was not confirmed", e);
        }
    }

    /** Whether there is nothing left to renew. */
    static boolean isLockLost(@Nullable Throwable thrown) {
        return is(thrown, ServiceBusFailureReason.MESSAGE_LOCK_LOST)
                || is(thrown, ServiceBusFailureReason.SESSION_LOCK_LOST)
                || is(thrown, ServiceBusFailureReason.MESSAGE_NOT_FOUND);
    }

    static boolean is(@Nullable Throwable thrown, ServiceBusFailureReason reason) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 10; depth++, cause = cause.getCause()) {
            if (cause instanceof ServiceBusException exception && reason.equals(exception.getReason())) {
                return true;
            }
        }
        return false;
    }
}
