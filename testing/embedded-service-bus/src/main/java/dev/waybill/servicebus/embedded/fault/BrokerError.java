package dev.waybill.servicebus.embedded.fault;

/** Error conditions of Service Bus. */
public enum BrokerError {
    NOT_FOUND("amqp:not-found"),
    NOT_ALLOWED("amqp:not-allowed"),
    NOT_IMPLEMENTED("amqp:not-implemented"),
    INVALID_FIELD("amqp:invalid-field"),
    INTERNAL_ERROR("amqp:internal-error"),
    DECODE_ERROR("amqp:decode-error"),
    UNAUTHORIZED("amqp:unauthorized-access"),
    RESOURCE_LIMIT_EXCEEDED("amqp:resource-limit-exceeded"),
    MESSAGE_SIZE_EXCEEDED("amqp:link:message-size-exceeded"),
    DETACH_FORCED("amqp:link:detach-forced"),
    CONNECTION_FORCED("amqp:connection:forced"),
    TRANSACTION_UNKNOWN("amqp:transaction:unknown-id"),
    TRANSACTION_ROLLBACK("amqp:transaction:rollback"),
    SERVER_BUSY("com.microsoft:server-busy"),
    TIMEOUT("com.microsoft:timeout"),
    ENTITY_DISABLED("com.microsoft:entity-disabled"),
    ENTITY_ALREADY_EXISTS("com.microsoft:entity-already-exists"),
    MESSAGE_LOCK_LOST("com.microsoft:message-lock-lost"),
    MESSAGE_NOT_FOUND("com.microsoft:message-not-found"),
    SESSION_LOCK_LOST("com.microsoft:session-lock-lost"),
    SESSION_CANNOT_BE_LOCKED("com.microsoft:session-cannot-be-locked"),
    ARGUMENT_ERROR("com.microsoft:argument-error"),
    ARGUMENT_OUT_OF_RANGE("com.microsoft:argument-out-of-range");

    private final String condition;

    BrokerError(String condition) {
        this.condition = condition;
    }

    /** The AMQP error condition on the wire. */
    public String condition() {
        return condition;
    }
}
