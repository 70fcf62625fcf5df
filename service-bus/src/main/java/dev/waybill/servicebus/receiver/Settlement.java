package dev.waybill.servicebus.receiver;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.servicebus.ServiceBusError;
import java.time.Duration;
import java.util.EnumSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Waits for the broker's confirmation of a settlement, until a deadline. Does not retry: the SDK has forgotten the delivery,
 * and the inbox recognizes the redelivered message.
 */
final class Settlement {
    /** The SDK's timeout exceeds most lock durations (azure-sdk-for-java issue 43830). */
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final Set<ServiceBusError> LOST = EnumSet.of(
            ServiceBusError.MESSAGE_LOCK_LOST, ServiceBusError.SESSION_LOCK_LOST, ServiceBusError.MESSAGE_NOT_FOUND);

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
        return ServiceBusError.isAny(thrown, LOST::contains);
    }

    /** Whether another receiver has the session. */
    static boolean isSessionTaken(Throwable thrown) {
        return ServiceBusError.isAny(thrown, ServiceBusError.SESSION_TAKEN::equals);
    }

    /** The SDK reports a missing message in two ways. */
    static boolean isNotFound(Throwable thrown) {
        return ServiceBusError.isAny(thrown, ServiceBusError.MESSAGE_NOT_FOUND::equals)
                || ServiceBusError.chain(thrown).stream().anyMatch(NoSuchElementException.class::isInstance);
    }
}
