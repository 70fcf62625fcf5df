package dev.waybill.test.proof;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run.
 *
 * @param fates how each message ended, by its id
 * @param steps what the handler did in the first attempt at each message, by its id
 * @param survivors what a transaction left behind that was rolled back; empty if nothing
 * @param attempt the disturbed one
 */
record RunResult(
        Disturbance disturbance,
        Content content,
        Map<String, String> fates,
        Map<String, List<String>> steps,
        String survivors,
        Attempt attempt) {
    /**
     * The attempt at a message that was disturbed.
     *
     * @param fate how it ended; null if none was disturbed
     * @param failedOutside whether the statement that was made to fail was not the message's transaction's
     */
    record Attempt(@Nullable Fate fate, boolean failedOutside) {}

    @Nullable Fate disturbed() {
        return attempt.fate();
    }

    boolean failedOutside() {
        return attempt.failedOutside();
    }

    /** A statement failed in a nested transaction, and the handler went on without it. */
    boolean wentOn() {
        return disturbance.kind() == Disturbance.Kind.FAIL
                && attempt.fate() != null
                && attempt.fate().kind() == Fate.Kind.DONE
                && !attempt.failedOutside();
    }
}
