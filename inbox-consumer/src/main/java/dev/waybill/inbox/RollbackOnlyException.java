package dev.waybill.inbox;

/**
 * A handler has returned that its message is done, in a transaction that can only be rolled back: something in it
 * has failed, and the handler went on.
 */
public final class RollbackOnlyException extends Exception {
    private static final long serialVersionUID = 1L;

    public RollbackOnlyException() {
        super(
                "The handler says that the message is done, but its transaction is marked to be rolled back: something in it"
                        + " has failed, or has asked for that. A commit would return as if nothing were wrong");
    }
}
