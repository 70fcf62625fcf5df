package dev.waybill.servicebus.embedded.config;

import dev.waybill.servicebus.embedded.filter.RuleFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import dev.waybill.servicebus.embedded.filter.SqlFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a subscription. Each method that takes a value returns a changed copy. Immutable. A subscription
 * that is given no rule has the one that selects everything.
 */
public final class SubscriptionOptions {
    private final QueueOptions delivery;
    private final List<SubscriptionRule> rules;
    private final boolean deadLetterOnFilterError;

    private SubscriptionOptions(QueueOptions delivery, List<SubscriptionRule> rules, boolean deadLetterOnFilterError) {
        this.delivery = delivery;
        this.rules = List.copyOf(rules);
        this.deadLetterOnFilterError = deadLetterOnFilterError;
    }

    /** The defaults of {@link QueueOptions#defaults()}; messages whose filter fails become dead letters. */
    public static SubscriptionOptions defaults() {
        return new SubscriptionOptions(QueueOptions.defaults(), List.of(), true);
    }

    /** Changes what a subscription has in common with a queue. Duplicate detection belongs to its topic. */
    public SubscriptionOptions delivery(UnaryOperator<QueueOptions> change) {
        return new SubscriptionOptions(change.apply(delivery), rules, deadLetterOnFilterError);
    }

    /** See {@link QueueOptions#requiresSession()}. */
    public SubscriptionOptions requiresSession() {
        return delivery(QueueOptions::requiresSession);
    }

    /** See {@link QueueOptions#lockDuration(Duration)}. */
    public SubscriptionOptions lockDuration(Duration duration) {
        return delivery(q -> q.lockDuration(duration));
    }

    /** See {@link QueueOptions#maxDeliveryCount(int)}. */
    public SubscriptionOptions maxDeliveryCount(int count) {
        return delivery(q -> q.maxDeliveryCount(count));
    }

    /** See {@link QueueOptions#timeToLive(Duration)}. */
    public SubscriptionOptions timeToLive(Duration duration) {
        return delivery(q -> q.timeToLive(duration));
    }

    /** See {@link QueueOptions#deadLetterOnExpiration()}. */
    public SubscriptionOptions deadLetterOnExpiration() {
        return delivery(QueueOptions::deadLetterOnExpiration);
    }

    /** See {@link QueueOptions#forwardTo(String)}. */
    public SubscriptionOptions forwardTo(String entity) {
        return delivery(q -> q.forwardTo(entity));
    }

    /** Adds a rule. */
    public SubscriptionOptions rule(SubscriptionRule rule) {
        List<SubscriptionRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new SubscriptionOptions(delivery, more, deadLetterOnFilterError);
    }

    /** Adds a rule without action. */
    public SubscriptionOptions rule(String name, RuleFilter filter) {
        return rule(new SubscriptionRule(name, filter, null));
    }

    /** Adds a rule whose filter is a SQL expression. */
    public SubscriptionOptions sqlRule(String name, String filter) {
        return rule(name, SqlFilter.parse(filter));
    }

    /** Adds a rule whose filter and action are SQL expressions. */
    public SubscriptionOptions sqlRule(String name, String filter, @Nullable String action) {
        return rule(
                new SubscriptionRule(name, SqlFilter.parse(filter), action == null ? null : SqlAction.parse(action)));
    }

    /**
     * Whether messages whose filter cannot be evaluated become dead letters, or are not selected. Default: they
     * do.
     */
    public SubscriptionOptions deadLetterOnFilterError(boolean enabled) {
        return new SubscriptionOptions(delivery, rules, enabled);
    }

    /** The settings that it shares with a queue. */
    public QueueOptions delivery() {
        return delivery;
    }

    /** Its rules at creation: never empty. */
    public List<SubscriptionRule> rules() {
        return rules.isEmpty() ? List.of(SubscriptionRule.everything()) : rules;
    }

    /** The value set by {@link #deadLetterOnFilterError(boolean)}. */
    public boolean deadLettersFilterErrors() {
        return deadLetterOnFilterError;
    }
}
