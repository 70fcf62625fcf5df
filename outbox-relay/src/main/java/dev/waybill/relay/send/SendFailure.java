package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
import dev.waybill.relay.PublishException;
import dev.waybill.supervision.ErrorDetails;
import org.jspecify.annotations.Nullable;

/** Converts failures of sends to causes of holds and alarms. */
public final class SendFailure {
    static final String NO_REASON = "NoReason";

    private SendFailure() {}

    public static Cause causeOf(@Nullable Throwable why) {
        if (why == null) {
            return new Cause(NO_REASON, "The publisher gave no reason");
        }
        String reason = why instanceof PublishException named
                ? named.reason()
                : why.getClass().getSimpleName();
        return new Cause(reason, String.valueOf(ErrorDetails.messageOf(why)));
    }
}
