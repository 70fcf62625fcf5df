package dev.waybill.inbox.handle;

import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FailurePolicy;
import dev.waybill.supervision.Traces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Classifies failures with the application's policy, then the standard one. */
public record FailureClassifier(FailurePolicy policy) {
    private static final Logger LOG = LoggerFactory.getLogger(FailureClassifier.class);
    private static final Traces TRACES = new Traces();

    /** {@link FailureKind#UNKNOWN} if no policy classifies the failure. Uses the standard policy if the application's throws. */
    public FailureKind classify(Throwable thrown) {
        try {
            return policy.or(FailurePolicy.STANDARD).classify(thrown).orElse(FailureKind.UNKNOWN);
        } catch (Throwable e) {
            TRACES.warn(LOG, "The failure policy threw; the standard policy classifies the failure", e);
            return FailurePolicy.STANDARD.classify(thrown).orElse(FailureKind.UNKNOWN);
        }
    }
}
