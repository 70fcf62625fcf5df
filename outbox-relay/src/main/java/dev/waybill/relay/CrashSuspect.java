package dev.waybill.relay;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * That a lane's next messages end the process that sends them.
 *
 * @param takeovers how often the lane was taken over at this position from an owner whose lease had run out
 * @param accused the row that the last of them was about to send alone
 * @param accusations how many in a row were about to send that one
 * @param culprits rows that are not to be sent any more
 */
record CrashSuspect(int takeovers, @Nullable Long accused, int accusations, Set<Long> culprits) {
    /** From here on the lane's messages are sent one at a time. */
    static final int GRAVE = 3;

    /** Once may be chance: something else may have ended the process while it waited for the broker's answer. */
    static final int ENOUGH_ACCUSATIONS = 2;

    boolean isGrave() {
        return takeovers >= GRAVE;
    }

    boolean convicts(OutboxRow row) {
        return culprits.contains(row.seq())
                || (Objects.equals(accused, row.seq()) && accusations >= ENOUGH_ACCUSATIONS);
    }
}
