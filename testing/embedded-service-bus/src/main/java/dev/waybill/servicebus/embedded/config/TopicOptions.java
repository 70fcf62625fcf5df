package dev.waybill.servicebus.embedded.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a topic and its subscriptions. Each method that takes a value returns a changed copy. Immutable.
 */
public final class TopicOptions {
    private final QueueOptions intake;
    private final Map<String, SubscriptionOptions> subscriptions;

    private TopicOptions(QueueOptions intake, Map<String, SubscriptionOptions> subscriptions) {
        this.intake = intake;
        this.subscriptions = subscriptions;
    }

    /** The defaults of {@link QueueOptions#defaults()}, and no subscription. */
    public static TopicOptions defaults() {
        return new TopicOptions(QueueOptions.defaults(), Map.of());
    }

    /** Changes what a topic has in common with a queue: what concerns sending to it. */
    public TopicOptions intake(UnaryOperator<QueueOptions> change) {
        return new TopicOptions(change.apply(intake), subscriptions);
    }

    /** See {@link QueueOptions#duplicateDetection(Duration)}. */
    public TopicOptions duplicateDetection(Duration window) {
        return intake(q -> q.duplicateDetection(window));
    }

    /** The longest life of any copy. See {@link QueueOptions#timeToLive(Duration)}. */
    public TopicOptions timeToLive(Duration duration) {
        return intake(q -> q.timeToLive(duration));
    }

    /** Adds a subscription with default settings. */
    public TopicOptions subscription(String name) {
        return subscription(name, SubscriptionOptions.defaults());
    }

    /** Adds a subscription; the function turns the default settings into its own. */
    public TopicOptions subscription(String name, UnaryOperator<SubscriptionOptions> settings) {
        return subscription(name, settings.apply(SubscriptionOptions.defaults()));
    }

    /** Adds a subscription. */
    public TopicOptions subscription(String name, SubscriptionOptions options) {
        Map<String, SubscriptionOptions> more = new LinkedHashMap<>(subscriptions);
        more.put(name, options);
        return new TopicOptions(intake, more);
    }

    /** The settings that it shares with a queue. */
    public QueueOptions intake() {
        return intake;
    }

    /** Its subscriptions at creation, by name; a copy. */
    public Map<String, SubscriptionOptions> subscriptions() {
        return new LinkedHashMap<>(subscriptions);
    }

    /** The window set by {@link #duplicateDetection}, or null when there is no detection. */
    public @Nullable Duration duplicateWindow() {
        return intake.duplicateWindow();
    }
}
