package dev.waybill.servicebus.receiver;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
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

    /** Whether somebody else has the session; accepting it fails with the protocol's error, unlike all else. */
    static boolean isSessionTaken(Throwable thrown) {
        return is(thrown, ServiceBusFailureReason.SESSION_CANNOT_BE_LOCKED)
                || any(
                        thrown,
                        cause -> cause instanceof AmqpException amqp
                                && amqp.getErrorCondition() == AmqpErrorCondition.SESSION_CANNOT_BE_LOCKED);
    }

    /** Whether there is no message of that number: the SDK says so in two ways. */
    static boolean isNotFound(Throwable thrown) {
        return is(thrown, ServiceBusFailureReason.MESSAGE_NOT_FOUND)
                || any(thrown, cause -> cause instanceof NoSuchElementException);
    }

    private static boolean is(@Nullable Throwable thrown, ServiceBusFailureReason reason) {
        return any(
                thrown,
                cause -> cause instanceof ServiceBusException exception && reason.equals(exception.getReason()));
    }

    private static boolean any(@Nullable Throwable thrown, Predicate<Throwable> test) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 10; depth++, cause = cause.getCause()) {
            if (test.test(cause)) {
                return true;
            }
        }
        return false;
    }
}
