package dev.waybill.servicebus.publisher;

import dev.waybill.relay.OutboxRow;

/** A row that the SDK or the link cannot send. */
final class Unsendable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unsendable(OutboxRow row, Throwable cause) {
        super(row + " cannot be sent: " + cause.getMessage(), cause);
    }

    Unsendable(OutboxRow row, int maximumBytes) {
        super(row + " is larger than the " + maximumBytes + " bytes that the destination takes");
    }
}
