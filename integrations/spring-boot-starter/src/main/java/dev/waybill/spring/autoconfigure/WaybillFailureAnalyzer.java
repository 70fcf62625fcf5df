package dev.waybill.spring.autoconfigure;

import dev.waybill.schema.FeatureMissing;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** What Waybill says of a start that it refuses, without the exceptions around it. */
final class WaybillFailureAnalyzer implements FailureAnalyzer {
    private static final int DEEPEST = 50;

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++, cause = cause.getCause()) {
            if (isOurs(cause)) {
                return new FailureAnalysis(
                        "Waybill refuses to start. " + cause.getMessage(),
                        cause instanceof FeatureMissing
                                ? "Run the command, or set waybill.migrations=apply beside the dependency"
                                        + " dev.waybill:waybill-migrations, with a role that may create tables."
                                : null,
                        cause);
            }
        }
        return null;
    }

    // Its messages say what to do.
    private static boolean isOurs(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return thrown.getMessage() != null
                && (thrown instanceof IllegalStateException || thrown instanceof IllegalArgumentException)
                && trace.length > 0
                && trace[0].getClassName().startsWith("dev.waybill.");
    }
}
