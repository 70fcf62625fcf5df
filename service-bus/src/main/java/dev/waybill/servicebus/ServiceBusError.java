package dev.waybill.servicebus;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The AMQP conditions of Service Bus and what they mean; no other class classifies them. {@code docs/operations/errors.md} lists them. */
public enum ServiceBusError {
    SERVER_BUSY("com.microsoft:server-busy", ErrorClass.THROTTLED, "the namespace throttles"),
    TRANSFER_LIMIT("amqp:link:transfer-limit-exceeded", ErrorClass.THROTTLED, "more messages than the link's credit"),

    NOT_FOUND("amqp:not-found", ErrorClass.DESTINATION, "no entity or subscription of this name"),
    DISABLED("com.microsoft:entity-disabled", ErrorClass.DESTINATION, "its status forbids to send or to receive"),
    UNAUTHORIZED("amqp:unauthorized-access", ErrorClass.DESTINATION, "the identity lacks the right Send or Listen"),
    FULL("amqp:resource-limit-exceeded", ErrorClass.DESTINATION, "the entity is full, or has too many links"),
    REVOKED("com.microsoft:publisher-revoked", ErrorClass.DESTINATION, "the publisher's right was withdrawn"),
    ALREADY_EXISTS("com.microsoft:entity-already-exists", ErrorClass.DESTINATION, "two definitions of one entity"),

    NOT_ALLOWED(
            "amqp:not-allowed",
            ErrorClass.MESSAGE,
            "a message without the session that its queue requires. Of a link: wrong kind of entity, sessions, forwarding"),
    NOT_IMPLEMENTED("amqp:not-implemented", ErrorClass.MESSAGE, "the SDK reports it as `amqp:not-allowed`"),
    TOO_LARGE("amqp:link:message-size-exceeded", ErrorClass.MESSAGE, "larger than the entity takes"),
    ARGUMENT("com.microsoft:argument-error", ErrorClass.MESSAGE, "a value that the broker does not take"),
    ARGUMENT_RANGE("com.microsoft:argument-out-of-range", ErrorClass.MESSAGE, "a value beyond its limits"),
    INVALID_FIELD("amqp:invalid-field", ErrorClass.MESSAGE, "a field of the wrong type"),
    DECODE("amqp:decode-error", ErrorClass.MESSAGE, "the broker cannot decode the message"),

    INTERNAL("amqp:internal-error", ErrorClass.UNEXPLAINED, "the broker failed and does not say why"),
    ILLEGAL_STATE("amqp:illegal-state", ErrorClass.UNEXPLAINED, "the link is in another state than the broker expects"),
    TRANSACTION_UNKNOWN("amqp:transaction:unknown-id", ErrorClass.UNEXPLAINED, "a transaction that has ended"),
    TRANSACTION_ROLLBACK("amqp:transaction:rollback", ErrorClass.UNEXPLAINED, "a transaction was rolled back"),

    TIMEOUT("com.microsoft:timeout", ErrorClass.PASSING, "no answer in time"),
    CANCELLED("com.microsoft:operation-cancelled", ErrorClass.PASSING, "the broker or the client closes"),
    DETACHED("amqp:link:detach-forced", ErrorClass.PASSING, "the broker has closed an idle link, or restarts"),
    STOLEN("amqp:link:stolen", ErrorClass.PASSING, "another link of the same name"),
    LINK_REDIRECT("amqp:link:redirect", ErrorClass.PASSING, "the entity has moved"),
    REDIRECT("amqp:connection:redirect", ErrorClass.PASSING, "the namespace has moved"),
    CLOSED("amqp:connection:forced", ErrorClass.PASSING, "the broker has closed the connection"),
    FRAMING("amqp:connection:framing-error", ErrorClass.PASSING, "the stream is damaged"),
    IO("proton:io", ErrorClass.PASSING, "the network"),
    TRACKING("com.microsoft:tracking-id", ErrorClass.PASSING, "a number for Azure's support, no error"),

    MESSAGE_LOCK_LOST("com.microsoft:message-lock-lost", ErrorClass.LOCK_LOST, "the handler outran the lock"),
    SESSION_LOCK_LOST("com.microsoft:session-lock-lost", ErrorClass.LOCK_LOST, "the session has another owner"),
    STORE_LOCK_LOST("com.microsoft:store-lock-lost", ErrorClass.LOCK_LOST, "the broker moves the entity"),
    PARTITION("com.microsoft:partition-not-owned", ErrorClass.LOCK_LOST, "the broker moves a partition"),
    MESSAGE_NOT_FOUND("com.microsoft:message-not-found", ErrorClass.LOCK_LOST, "it was settled before"),
    SESSION_NOT_FOUND("com.microsoft:session-not-found", ErrorClass.LOCK_LOST, "the session is empty"),
    SESSION_TAKEN("com.microsoft:session-cannot-be-locked", ErrorClass.LOCK_LOST, "another receiver has the session");

    /** A limit for cyclic causes. */
    private static final int DEEPEST = 20;

    /** The SDK names a condition that it does not know only in the text. */
    private static final Pattern UNKNOWN = Pattern.compile("errorCondition\\[([^\\]]+)]");

    private static final Map<String, ServiceBusError> BY_CONDITION =
            Arrays.stream(values()).collect(Collectors.toMap(ServiceBusError::condition, error -> error));

    // Not MESSAGE_SIZE_EXCEEDED: the SDK gives it to any message if a link has no size yet.
    private static final Map<ServiceBusFailureReason, ServiceBusError> BY_REASON = Map.of(
            ServiceBusFailureReason.MESSAGE_LOCK_LOST, MESSAGE_LOCK_LOST,
            ServiceBusFailureReason.SESSION_LOCK_LOST, SESSION_LOCK_LOST,
            ServiceBusFailureReason.MESSAGE_NOT_FOUND, MESSAGE_NOT_FOUND,
            ServiceBusFailureReason.SESSION_CANNOT_BE_LOCKED, SESSION_TAKEN,
            ServiceBusFailureReason.SERVICE_BUSY, SERVER_BUSY,
            ServiceBusFailureReason.QUOTA_EXCEEDED, FULL,
            ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND, NOT_FOUND,
            ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED, DISABLED,
            ServiceBusFailureReason.UNAUTHORIZED, UNAUTHORIZED);

    private final String condition;
    private final ErrorClass type;
    private final String meaning;

    ServiceBusError(String condition, ErrorClass type, String meaning) {
        this.condition = condition;
        this.type = type;
        this.meaning = meaning;
    }

    /** The name on the wire. */
    public String condition() {
        return condition;
    }

    public ErrorClass type() {
        return type;
    }

    public String meaning() {
        return meaning;
    }

    /** The causes, outermost first. */
    public static List<Throwable> chain(@Nullable Throwable failure) {
        var chain = new ArrayList<Throwable>();
        for (@Nullable Throwable cause = failure; cause != null && chain.size() < DEEPEST; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    /** Whether the failure or one of its causes is one of these. */
    public static boolean isAny(@Nullable Throwable failure, Predicate<ServiceBusError> which) {
        return chain(failure).stream().anyMatch(cause -> {
            @Nullable ServiceBusError error = of(cause);
            return error != null && which.test(error);
        });
    }

    /** The error of one exception of the SDK, without its causes; null if it names none that is known. */
    public static @Nullable ServiceBusError of(Throwable exception) {
        if (exception instanceof ServiceBusException failed && BY_REASON.containsKey(failed.getReason())) {
            return BY_REASON.get(failed.getReason());
        }
        // The SDK's exception for amqp:not-allowed, such as a missing session.
        if (exception instanceof UnsupportedOperationException) {
            return NOT_ALLOWED;
        }
        if (exception instanceof ClientAuthenticationException) {
            return UNAUTHORIZED;
        }
        @Nullable String named = conditionOf(exception);
        return named == null ? null : BY_CONDITION.get(named);
    }

    /** The condition that an exception names, known or not; null if it names none. */
    public static @Nullable String conditionOf(Throwable exception) {
        if (!(exception instanceof AmqpException amqp)) {
            return null;
        }
        // By condition, because the SDK loses its own reason when it wraps errors that it would have retried.
        @Nullable AmqpErrorCondition condition = amqp.getErrorCondition();
        if (condition != null) {
            return condition.getErrorCondition();
        }
        String text = String.valueOf(amqp.getMessage());
        if (text.contains(INVALID_FIELD.condition)) {
            return INVALID_FIELD.condition;
        }
        Matcher unknown = UNKNOWN.matcher(text);
        return unknown.find() ? unknown.group(1) : null;
    }
}
