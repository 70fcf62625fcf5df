package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
import dev.waybill.relay.PublishException;
import dev.waybill.supervision.ErrorDetails;
import org.jspecify.annotations.Nullable;

/** Why a send failed, in the words that holds and alarms store. */
public final class SendFailure {
    static final String NO_REASON = "NoReason";

    private SendFailure() {}

    /** The cause to store: the broker's word or the type of what was thrown, and its message. */
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
