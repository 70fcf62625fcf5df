package dev.waybill.standalone.cli.command;

/** The operator did not confirm the change; nothing was done. */
public final class NotConfirmedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotConfirmedException(String message) {
        super(message);
    }
}
