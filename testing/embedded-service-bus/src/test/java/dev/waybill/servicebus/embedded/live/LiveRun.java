package dev.waybill.servicebus.embedded.live;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Tells a case whether its run is a live one, and where it goes. */
public final class LiveRun implements BeforeEachCallback, AfterEachCallback, TestExecutionExceptionHandler {
    private @Nullable LiveTarget target;
    private volatile @Nullable NotApplicable refused;

    @Override
    public void beforeEach(ExtensionContext context) {
        target = LiveSettings.isLive(context::getConfigurationParameter)
                ? LiveTarget.of(context::getConfigurationParameter)
                : null;
    }

    /** Notes that the case cannot go on here, even if an assertion about failures hides the exception that says so. */
    public NotApplicable notApplicable(NotApplicable why) {
        if (refused == null) {
            refused = why;
        }
        return why;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw refused == null ? thrown : refused;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (refused != null && context.getExecutionException().isEmpty()) {
            throw refused;
        }
    }

    public Optional<LiveTarget> target() {
        return Optional.ofNullable(target);
    }
}
