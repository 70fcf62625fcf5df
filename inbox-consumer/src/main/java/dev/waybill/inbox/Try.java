package dev.waybill.inbox;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one try has come to: a result, or what was thrown and what that means. */
record Try(
        InboxTransaction.@Nullable Result result,
        @Nullable Throwable thrown,
        @Nullable FailureKind kind) {

    static Try of(InboxTransaction.Result result) {
        return new Try(result, null, null);
    }

    static Try failed(Throwable thrown, FailureKind kind) {
        return new Try(null, thrown, kind);
    }

    /** Whether no further try is needed, or any use. */
    boolean isFinal() {
        return kind == FailureKind.PERMANENT || (result != null && !(result.verdict() instanceof Verdict.Retry));
    }

    @Nullable Verdict verdict() {
        return result == null ? null : result.verdict();
    }

    String reason() {
        if (verdict() instanceof Verdict.DeadLetter dead) {
            return dead.reason();
        }
        return thrown == null ? "RetriesExhausted" : Failures.reason(thrown);
    }

    String description() {
        if (verdict() instanceof Verdict.DeadLetter dead) {
            return dead.description();
        }
        return thrown == null
                ? "The handler asked for another try: " + verdict()
                : Failures.description(Objects.requireNonNull(thrown));
    }
}
