package dev.waybill.servicebus.embedded.administration;

/** A request cannot be read, and what follows it neither. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    BadRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
