package dev.waybill.servicebus.embedded.filter;

/** Decides whether a subscription takes a message. */
public sealed interface RuleFilter permits ConstantFilter, CorrelationFilter, SqlFilter {

    /**
     * Whether the message is selected.
     *
     * @throws FilterEvaluationException when the filter cannot be evaluated against this message
     */
    boolean matches(FilterableMessage message);

    /** The true filter, which selects every message. */
    static RuleFilter all() {
        return ConstantFilter.ALL;
    }

    /** The false filter, which selects no message. */
    static RuleFilter none() {
        return ConstantFilter.NONE;
    }
}
