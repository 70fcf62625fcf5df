package dev.waybill.inbox;

import java.util.List;

/**
 * A handler has worked outside the transaction of its message, which was rolled back. The work outside stays.
 */
public final class OutsideWorkException extends Exception {
    private static final long serialVersionUID = 1L;

    public OutsideWorkException(List<String> outside) {
        super(
                "The handler has worked outside the transaction of its message, where effects happen again with each try: "
                        + String.join("; ", outside));
    }
}
