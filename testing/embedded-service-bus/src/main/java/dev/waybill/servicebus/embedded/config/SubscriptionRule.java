package dev.waybill.servicebus.embedded.config;

import dev.waybill.servicebus.embedded.filter.RuleFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription. Immutable.
 *
 * @param name unique in its subscription, case aside; 1 to 50 characters
 * @param filter which messages it selects
 * @param action how it changes the copies it selects, or null
 */
public record SubscriptionRule(
        String name, RuleFilter filter, @Nullable SqlAction action) {
    /** The name of the rule that a subscription has if it is given none. */
    public static final String DEFAULT_NAME = "$Default";

    public SubscriptionRule {
        Checks.between("Length of a rule's name", name.length(), 1, 50);
    }

    /** The rule that selects everything. */
    public static SubscriptionRule everything() {
        return new SubscriptionRule(DEFAULT_NAME, RuleFilter.all(), null);
    }
}
