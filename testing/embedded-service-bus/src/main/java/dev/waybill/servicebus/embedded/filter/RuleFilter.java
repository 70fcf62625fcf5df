package dev.waybill.servicebus.embedded.filter;

/** Decides whether a subscription takes a message. */
public sealed interface RuleFilter permits ConstantFilter, CorrelationFilter, SqlFilter {

    /** Throws {@code FilterEvaluationException} if evaluation fails on this message. */
    boolean matches(FilterableMessage message);

    /** Selects every message. */
    static RuleFilter all() {
        return ConstantFilter.ALL;
    }

    /** Selects no message. */
    static RuleFilter none() {
        return ConstantFilter.NONE;
    }
}
