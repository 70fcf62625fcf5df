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
 * The settings of a subscription. A method with an argument returns a changed copy. Immutable. Without a rule, the subscription selects
 * every message.
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

    /** {@link QueueOptions#defaults()}; messages whose filter fails are dead-lettered. */
    public static SubscriptionOptions defaults() {
        return new SubscriptionOptions(QueueOptions.defaults(), List.of(), true);
    }

    /** Changes the settings that it shares with a queue. Duplicate detection belongs to the topic. */
    public SubscriptionOptions delivery(UnaryOperator<QueueOptions> change) {
        return new SubscriptionOptions(change.apply(delivery), rules, deadLetterOnFilterError);
    }

    public SubscriptionOptions requiresSession() {
        return delivery(QueueOptions::requiresSession);
    }

    public SubscriptionOptions lockDuration(Duration duration) {
        return delivery(q -> q.lockDuration(duration));
    }

    public SubscriptionOptions maxDeliveryCount(int count) {
        return delivery(q -> q.maxDeliveryCount(count));
    }

    public SubscriptionOptions timeToLive(Duration duration) {
        return delivery(q -> q.timeToLive(duration));
    }

    public SubscriptionOptions deadLetterOnExpiration() {
        return delivery(QueueOptions::deadLetterOnExpiration);
    }

    public SubscriptionOptions forwardTo(String entity) {
        return delivery(q -> q.forwardTo(entity));
    }

    public SubscriptionOptions rule(SubscriptionRule rule) {
        List<SubscriptionRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new SubscriptionOptions(delivery, more, deadLetterOnFilterError);
    }

    public SubscriptionOptions rule(String name, RuleFilter filter) {
        return rule(new SubscriptionRule(name, filter, null));
    }

    /** Adds a rule with a SQL filter. */
    public SubscriptionOptions sqlRule(String name, String filter) {
        return rule(name, SqlFilter.parse(filter));
    }

    /** Adds a rule with a SQL filter and a SQL action. */
    public SubscriptionOptions sqlRule(String name, String filter, @Nullable String action) {
        return rule(
                new SubscriptionRule(name, SqlFilter.parse(filter), action == null ? null : SqlAction.parse(action)));
    }

    /** Whether a message whose filter fails is dead-lettered; otherwise it is not selected. Default: true. */
    public SubscriptionOptions deadLetterOnFilterError(boolean enabled) {
        return new SubscriptionOptions(delivery, rules, enabled);
    }

    public QueueOptions delivery() {
        return delivery;
    }

    /** The rules at creation; never empty. */
    public List<SubscriptionRule> rules() {
        return rules.isEmpty() ? List.of(SubscriptionRule.everything()) : rules;
    }

    public boolean deadLettersFilterErrors() {
        return deadLetterOnFilterError;
    }
}
