package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Tells failures of a namespace that does not answer from those that it answers. */
public final class BrokerFailure {
    private static final int DEEPEST = 20;
    private static final Set<ServiceBusFailureReason> AWAY = Set.of(
            ServiceBusFailureReason.SERVICE_COMMUNICATION_ERROR,
            ServiceBusFailureReason.SERVICE_TIMEOUT,
            ServiceBusFailureReason.SERVICE_BUSY);
    private static final List<Class<? extends Exception>> OF_THE_NETWORK = List.of(
            ConnectException.class,
            UnknownHostException.class,
            UnresolvedAddressException.class,
            TimeoutException.class);

    private BrokerFailure() {}

    public static boolean isUnreachable(Throwable failure) {
        return failure instanceof UnreachableException
                || (!isMissing(failure) && any(failure, BrokerFailure::isOfTheNetwork));
    }

    /** Whether the namespace has no such entity. */
    public static boolean isMissing(Throwable failure) {
        return any(
                failure,
                cause -> (cause instanceof ServiceBusException bus
                                && ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND.equals(bus.getReason()))
                        || (cause instanceof AmqpException amqp
                                && AmqpErrorCondition.NOT_FOUND.equals(amqp.getErrorCondition())));
    }

    private static boolean isOfTheNetwork(Throwable cause) {
        return OF_THE_NETWORK.stream().anyMatch(type -> type.isInstance(cause))
                || (cause instanceof ServiceBusException bus && AWAY.contains(bus.getReason()))
                || (cause instanceof AmqpException amqp
                        && (amqp.isTransient() || AmqpErrorCondition.TIMEOUT_ERROR.equals(amqp.getErrorCondition())));
    }

    private static boolean any(Throwable failure, Predicate<Throwable> is) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(DEEPEST)
                .anyMatch(is);
    }
}
