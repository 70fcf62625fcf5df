package dev.waybill.servicebus.embedded.live;

import java.io.Serial;
import org.opentest4j.TestAbortedException;

/** A case that cannot run in a live namespace, and why. */
public final class NotApplicable extends TestAbortedException {
    @Serial
    private static final long serialVersionUID = 1;

    public NotApplicable(String why) {
        super(why);
    }
}
