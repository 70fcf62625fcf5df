package dev.waybill.servicebus.embedded.administration;

/** A malformed request; the connection cannot continue. */
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
