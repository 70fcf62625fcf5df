package dev.waybill.test.proof;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run led to.
 *
 * @param fates how each message ended, by its id
 * @param steps what the handler did in the first attempt at each message, by its id
 * @param survivors what a transaction left behind that was rolled back; empty if nothing
 * @param disturbed how the disturbed attempt ended; null if none was
 * @param failedOutside whether the statement that was made to fail was not the message's transaction's
 */
record RunResult(
        Disturbance disturbance,
        Content content,
        Map<String, String> fates,
        Map<String, List<String>> steps,
        String survivors,
        @Nullable Fate disturbed,
        boolean failedOutside) {
    /** A statement failed in a nested transaction, and the handler went on without it. */
    boolean wentOn() {
        return disturbance.kind() == Disturbance.Kind.FAIL
                && disturbed != null
                && disturbed.kind() == Fate.Kind.DONE
                && !failedOutside;
    }
}
