package dev.waybill.standalone.cli;

/** Nothing was done, because nobody said yes. */
final class NotConfirmedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotConfirmedException(String message) {
        super(message);
    }
}
