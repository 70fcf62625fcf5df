package dev.waybill.inbox;

import java.util.List;

/** A handler worked outside its message's transaction. That transaction is rolled back; the work outside stays. */
public final class OutsideWorkException extends Exception {
    private static final long serialVersionUID = 1L;

    public OutsideWorkException(List<String> outside) {
        super("The handler worked outside the transaction of its message, and each retry would repeat that: "
                + String.join("; ", outside));
    }
}
