package dev.waybill.inbox;

import org.jspecify.annotations.Nullable;

/** What one try has come to: a result, or what was thrown and what that means. */
record Attempt(
        InboxTransaction.@Nullable Result result,
        @Nullable Throwable thrown,
        @Nullable FailureKind kind) {

    static Attempt of(InboxTransaction.Result result) {
        return new Attempt(result, null, null);
    }

    static Attempt failed(Throwable thrown, FailureKind kind) {
        return new Attempt(null, thrown, kind);
    }

    boolean isDone() {
        return result != null && result.verdict() == Verdict.done();
    }

    boolean isDuplicate() {
        return result != null && result.duplicate();
    }

    @Nullable Verdict verdict() {
        return result == null ? null : result.verdict();
    }
}
