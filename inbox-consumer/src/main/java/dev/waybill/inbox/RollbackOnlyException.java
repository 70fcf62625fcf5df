package dev.waybill.inbox;

/** A handler returned {@link Verdict#done()}, although an earlier failure marked its transaction to be rolled back. */
public final class RollbackOnlyException extends Exception {
    private static final long serialVersionUID = 1L;

    public RollbackOnlyException() {
        super("The handler returned done, but its transaction is marked to be rolled back, for example by a caught"
                + " exception. Its commit would report success without effects");
    }
}
