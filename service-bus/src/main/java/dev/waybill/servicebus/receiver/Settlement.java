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
 * Waits for the broker's confirmation of a settlement, until a deadline. Does not retry: the SDK has forgotten the delivery,
 * and the inbox recognizes the redelivered message.
 */
final class Settlement {
    /** The SDK's timeout exceeds most lock durations (azure-sdk-for-java issue 43830). */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private Settlement() {}

    static void await(Mono<Void> settlement, InboundMessage message) {
        try {
            settlement.block(DEADLINE);
        } catch (RuntimeException e) {
            throw new LockLostException("The settlement of message '" + message.id() + "' was not confirmed", e);
        }
    }

    /** Whether no lock is left to renew. */
    static boolean isLockLost(@Nullable Throwable thrown) {
        return is(thrown, ServiceBusFailureReason.MESSAGE_LOCK_LOST)
                || is(thrown, ServiceBusFailureReason.SESSION_LOCK_LOST)
                || is(thrown, ServiceBusFailureReason.MESSAGE_NOT_FOUND);
    }

    /** Whether another receiver has the session. Accepting it fails with an AMQP error, unlike other calls. */
    static boolean isSessionTaken(Throwable thrown) {
        return is(thrown, ServiceBusFailureReason.SESSION_CANNOT_BE_LOCKED)
                || any(
                        thrown,
                        cause -> cause instanceof AmqpException amqp
                                && amqp.getErrorCondition() == AmqpErrorCondition.SESSION_CANNOT_BE_LOCKED);
    }

    /** The SDK reports a missing message in two ways. */
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
