package dev.waybill.standalone.cli.command;

/** Nothing was done, because nobody said yes. */
public final class NotConfirmedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotConfirmedException(String message) {
        super(message);
    }
}
