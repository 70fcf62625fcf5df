package dev.waybill.servicebus.embedded.config;

import dev.waybill.servicebus.embedded.filter.RuleFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription. Immutable.
 *
 * @param name unique in its subscription without regard to case, 1 to 50 characters
 * @param action changes the selected copies; null for none
 */
public record SubscriptionRule(
        String name, RuleFilter filter, @Nullable SqlAction action) {
    /** The name of the default rule. */
    public static final String DEFAULT_NAME = "$Default";

    public SubscriptionRule {
        Checks.between("Length of a rule's name", name.length(), 1, 50);
    }

    public static SubscriptionRule everything() {
        return new SubscriptionRule(DEFAULT_NAME, RuleFilter.all(), null);
    }
}
