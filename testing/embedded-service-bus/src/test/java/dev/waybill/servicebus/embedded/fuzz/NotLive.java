package dev.waybill.servicebus.embedded.fuzz;

import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/** Fuzzing is for the embedded broker only: a live run leaves it out and says so. */
final class NotLive implements SkipExecutionHook {
    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
        return Boolean.getBoolean("waybill.live")
                ? SkipResult.skip("speaks nonsense, which is for the embedded broker only")
                : SkipResult.doNotSkip();
    }

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }
}
