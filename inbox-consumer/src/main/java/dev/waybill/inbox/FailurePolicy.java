package dev.waybill.inbox;

import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.message.UnreadableBodyException;
import java.util.Optional;

/**
 * Classifies exceptions. A policy returns empty for those that it does not know. The consumer asks {@link #STANDARD} last. Thread-safe.
 *
 * <pre>{@code
 * FailurePolicy ours = thrown -> thrown instanceof UnknownWalletException
 *         ? Optional.of(FailureKind.PERMANENT)
 *         : Optional.empty();
 * }</pre>
 */
@FunctionalInterface
public interface FailurePolicy {
    /**
     * Classifies transient database errors as {@link FailureKind#TRANSIENT}, and data, not-null and check violations as {@link
     * FailureKind#PERMANENT}.
     */
    FailurePolicy STANDARD = FailurePolicy::standard;

    /** Classifies a failure; empty asks the next policy. Called once per failed attempt. */
    Optional<FailureKind> classify(Throwable thrown);

    /** Asks {@code next} where this policy returns empty. */
    default FailurePolicy or(FailurePolicy next) {
        return thrown -> classify(thrown).or(() -> next.classify(thrown));
    }

    private static Optional<FailureKind> standard(Throwable thrown) {
        if (DatabaseErrors.isTransient(thrown)) {
            return Optional.of(FailureKind.TRANSIENT);
        }
        return thrown instanceof OutsideWorkException
                        || thrown instanceof UnreadableBodyException
                        || DatabaseErrors.isBadData(thrown)
                ? Optional.of(FailureKind.PERMANENT)
                : Optional.empty();
    }
}
