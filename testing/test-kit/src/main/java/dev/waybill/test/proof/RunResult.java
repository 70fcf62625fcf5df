package dev.waybill.test.proof;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run.
 *
 * @param fates each message's outcome, by id
 * @param steps what the handler did in its first attempt at each message, by id
 * @param survivors what stayed behind after a rollback
 * @param attempt the disturbed one
 */
record RunResult(
        Disturbance disturbance,
        Content content,
        Map<String, String> fates,
        Map<String, List<String>> steps,
        String survivors,
        Attempt attempt) {
    record Attempt(@Nullable Fate fate, boolean failedOutside) {}

    @Nullable Fate disturbed() {
        return attempt.fate();
    }

    boolean failedOutside() {
        return attempt.failedOutside();
    }

    boolean wentOn() {
        return disturbance.kind() == Disturbance.Kind.FAIL
                && attempt.fate() != null
                && attempt.fate().kind() == Fate.Kind.DONE
                && !attempt.failedOutside();
    }
}
