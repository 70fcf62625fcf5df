package dev.waybill.inbox;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of one try: a result, or the exception and its kind.
 *
 * @param blameless whether the message has nothing to do with it, so that it never counts as failed
 */
record TryResult(
        InboxTransaction.@Nullable Result result,
        @Nullable Throwable thrown,
        @Nullable FailureKind kind,
        boolean blameless) {

    static TryResult of(InboxTransaction.Result result) {
        return new TryResult(result, null, null, false);
    }

    static TryResult failed(Throwable thrown, FailureKind kind) {
        return new TryResult(null, thrown, kind, false);
    }

    /** The message was not admitted to its handler, and it is not why. */
    static TryResult notAdmitted(Throwable thrown) {
        return new TryResult(null, thrown, FailureKind.TRANSIENT, true);
    }

    /** Whether no further try is needed, or any use. */
    boolean isFinal() {
        return kind == FailureKind.PERMANENT || (result != null && !(result.verdict() instanceof Verdict.Retry));
    }

    @Nullable Verdict verdict() {
        return result == null ? null : result.verdict();
    }

    /** The snapshot that the handler saw at least, as PostgreSQL writes it. */
    @Nullable String snapshot() {
        return result == null ? null : result.admission().snapshot();
    }

    /** When its transaction began, as PostgreSQL writes it. */
    @Nullable String since() {
        return result == null ? null : result.admission().backend().since();
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
