package dev.waybill.hold;

/** The messages of a hold are being published or handled; what is done to one of them now might come too late. */
public final class HoldBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    HoldBusyException(HoldKey key) {
        super("An attempt at the " + key + " is running; try again when it has ended");
    }
}
