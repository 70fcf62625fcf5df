package dev.waybill.inbox.servicebus;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Waits for the broker's word on a settlement, not longer than a deadline. */
final class Settlement {
    /** The SDK's own time-out is longer than most locks (azure-sdk-for-java issue 43830). */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final Retry WHEN_BUSY = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(200))
            .maxBackoff(Duration.ofSeconds(2))
            .filter(thrown -> is(thrown, ServiceBusFailureReason.SERVICE_BUSY));

    private Settlement() {}

    static void await(Mono<Void> settlement, InboundMessage message) {
        try {
            settlement.retryWhen(WHEN_BUSY).block(DEADLINE);
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
