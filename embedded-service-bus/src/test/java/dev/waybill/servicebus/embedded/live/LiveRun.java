package dev.waybill.servicebus.embedded.live;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tells a case whether its run is a live one, and where it goes. */
public final class LiveRun implements BeforeEachCallback {
    private @Nullable LiveTarget target;

    @Override
    public void beforeEach(ExtensionContext context) {
        target = LiveSettings.isLive(context::getConfigurationParameter)
                ? LiveTarget.of(context::getConfigurationParameter)
                : null;
    }

    public Optional<LiveTarget> target() {
        return Optional.ofNullable(target);
    }
}
