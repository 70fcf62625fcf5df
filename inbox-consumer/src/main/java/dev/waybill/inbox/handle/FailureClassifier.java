package dev.waybill.inbox.handle;

import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FailurePolicy;
import dev.waybill.supervision.Traces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classifies failures by the application's policy first, and by the standard one last.
 *
 * @param policy the application's
 */
public record FailureClassifier(FailurePolicy policy) {
    private static final Logger LOG = LoggerFactory.getLogger(FailureClassifier.class);
    private static final Traces TRACES = new Traces();

    /** The answer of the policy, or of the standard one if it fails itself; UNKNOWN if there is no answer. */
    public FailureKind classify(Throwable thrown) {
        try {
            return policy.or(FailurePolicy.STANDARD).classify(thrown).orElse(FailureKind.UNKNOWN);
        } catch (Throwable e) {
            TRACES.warn(LOG, "The failure policy failed; the standard one is asked instead", e);
            return FailurePolicy.STANDARD.classify(thrown).orElse(FailureKind.UNKNOWN);
        }
    }
}
