package dev.waybill.servicebus.embedded.live;

import dev.waybill.servicebus.embedded.NamespaceCase;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Leaves out, in a live run, the classes that do not go through the client library; they are in the report with why. */
public final class LiveOnly implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (!LiveSettings.isLive(context::getConfigurationParameter)) {
            return ConditionEvaluationResult.enabled("not a live run");
        }
        return context.getTestClass()
                .filter(type -> !NamespaceCase.class.isAssignableFrom(type))
                .map(type -> ConditionEvaluationResult.disabled(why(type)))
                .orElseGet(() -> ConditionEvaluationResult.enabled("goes through the client library"));
    }

    private static String why(Class<?> type) {
        EmbeddedOnly reason = type.getAnnotation(EmbeddedOnly.class);
        return reason == null ? "does not go through the client library" : reason.value();
    }
}
