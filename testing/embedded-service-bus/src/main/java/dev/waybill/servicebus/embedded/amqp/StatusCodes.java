package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;

/** The HTTP-like status of an error. */
final class StatusCodes {
    private StatusCodes() {}

    static int of(BrokerError error) {
        return switch (error) {
            case NOT_FOUND, MESSAGE_NOT_FOUND -> 404;
            case UNAUTHORIZED -> 401;
            case MESSAGE_LOCK_LOST, SESSION_LOCK_LOST, SESSION_CANNOT_BE_LOCKED -> 410;
            case ENTITY_ALREADY_EXISTS -> 409;
            case SERVER_BUSY -> 503;
            case TIMEOUT -> 408;
            case RESOURCE_LIMIT_EXCEEDED, MESSAGE_SIZE_EXCEEDED, ENTITY_DISABLED -> 403;
            case INTERNAL_ERROR, NOT_IMPLEMENTED -> 500;
            default -> 400;
        };
    }
}
