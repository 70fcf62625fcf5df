package dev.waybill.inbox.transaction;

import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.defer.DeferringAttempt;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.record.InboxRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The end of one attempt: a result, or an exception with its kind. A blameless attempt never counts against the message. */
public record AttemptOutcome(
        InboxTransaction.@Nullable Result result,
        @Nullable Throwable thrown,
        @Nullable FailureKind kind,
        boolean blameless) {

    public static AttemptOutcome of(InboxTransaction.Result result) {
        return new AttemptOutcome(result, null, null, false);
    }

    public static AttemptOutcome failed(Throwable thrown, FailureKind kind) {
        return new AttemptOutcome(null, thrown, kind, false);
    }

    public static AttemptOutcome notRecorded(Throwable thrown) {
        return new AttemptOutcome(null, thrown, FailureKind.TRANSIENT, true);
    }

    /** Whether a further attempt is unnecessary or useless. */
    public boolean isFinal() {
        return kind == FailureKind.PERMANENT || (result != null && !(result.verdict() instanceof Verdict.Retry));
    }

    public @Nullable Verdict verdict() {
        return result == null ? null : result.verdict();
    }

    public DeferringAttempt deferring(String key, @Nullable Fence fence, DeferringAttempt.Limits limits) {
        @Nullable InboxRecord recorded = result == null ? null : result.recorded();
        return new DeferringAttempt(
                key,
                recorded == null ? null : recorded.snapshot(),
                recorded == null ? null : recorded.backend().since(),
                fence,
                limits);
    }

    public String reason() {
        if (verdict() instanceof Verdict.DeadLetter dead) {
            return dead.reason();
        }
        return thrown == null ? "RetriesExhausted" : FailureText.reason(thrown);
    }

    public String description() {
        if (verdict() instanceof Verdict.DeadLetter dead) {
            return dead.description();
        }
        return thrown == null
                ? "The handler asked for a retry: " + verdict()
                : FailureText.description(Objects.requireNonNull(thrown));
    }
}
