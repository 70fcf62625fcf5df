package dev.waybill.relay.send;

import java.util.function.BooleanSupplier;

/** Whether a shipment may go on, and whether its publisher was ever told that it may not. Thread-safe. */
public final class GoAhead implements BooleanSupplier {
    private final BooleanSupplier given;
    private volatile boolean withheld;

    /** Is asked each time. */
    public GoAhead(BooleanSupplier given) {
        this.given = given;
    }

    @Override
    public boolean getAsBoolean() {
        boolean goesOn = given.getAsBoolean();
        if (!goesOn) {
            withheld = true;
        }
        return goesOn;
    }

    /** Whether it was given each time it was asked for, and is now. */
    public boolean isUnbroken() {
        return getAsBoolean() && !withheld;
    }
}
