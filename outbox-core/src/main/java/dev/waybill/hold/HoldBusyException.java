package dev.waybill.hold;

/** An attempt at the hold is running, so the message may already be published or handled. */
public final class HoldBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    HoldBusyException(HoldKey key) {
        super("An attempt at the " + key + " is running; try again when it has ended");
    }
}
