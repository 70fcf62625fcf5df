package dev.waybill.inbox;

import dev.waybill.inbox.failure.DatabaseErrors;
import java.util.Optional;

/**
 * Tells what an exception means. Each policy answers for what it knows; {@link #STANDARD}, which is always asked last, knows
 * the database's own errors. Thread-safe.
 *
 * <pre>{@code
 * FailurePolicy ours = thrown -> thrown instanceof UnknownWalletException
 *         ? Optional.of(FailureKind.PERMANENT)
 *         : Optional.empty();
 * }</pre>
 */
@FunctionalInterface
public interface FailurePolicy {
    /** Knows that the database's transient errors are no message's fault, and that a body that cannot be read never will. */
    FailurePolicy STANDARD = FailurePolicy::standard;

    /** The kind of a failure, or empty to leave the answer to the next policy. Asked once per failed attempt. */
    Optional<FailureKind> classify(Throwable thrown);

    /** This policy first, and {@code next} where this one has no answer. */
    default FailurePolicy or(FailurePolicy next) {
        return thrown -> classify(thrown).or(() -> next.classify(thrown));
    }

    private static Optional<FailureKind> standard(Throwable thrown) {
        if (DatabaseErrors.isTransient(thrown)) {
            return Optional.of(FailureKind.TRANSIENT);
        }
        return thrown instanceof OutsideWorkException || DatabaseErrors.isBadData(thrown)
                ? Optional.of(FailureKind.PERMANENT)
                : Optional.empty();
    }
}
