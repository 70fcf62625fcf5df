package dev.waybill.servicebus.embedded.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of a topic and its subscriptions. A method with an argument returns a changed copy. Immutable. */
public final class TopicOptions {
    private final QueueOptions intake;
    private final Map<String, SubscriptionOptions> subscriptions;

    private TopicOptions(QueueOptions intake, Map<String, SubscriptionOptions> subscriptions) {
        this.intake = intake;
        this.subscriptions = subscriptions;
    }

    public static TopicOptions defaults() {
        return new TopicOptions(QueueOptions.defaults(), Map.of());
    }

    /** Changes the settings for senders, which it shares with a queue. */
    public TopicOptions intake(UnaryOperator<QueueOptions> change) {
        return new TopicOptions(change.apply(intake), subscriptions);
    }

    public TopicOptions duplicateDetection(Duration window) {
        return intake(q -> q.duplicateDetection(window));
    }

    /** The longest time to live of every copy. See {@link QueueOptions#timeToLive(Duration)}. */
    public TopicOptions timeToLive(Duration duration) {
        return intake(q -> q.timeToLive(duration));
    }

    public TopicOptions subscription(String name) {
        return subscription(name, SubscriptionOptions.defaults());
    }

    /** Adds a subscription; the function changes the default settings. */
    public TopicOptions subscription(String name, UnaryOperator<SubscriptionOptions> settings) {
        return subscription(name, settings.apply(SubscriptionOptions.defaults()));
    }

    public TopicOptions subscription(String name, SubscriptionOptions options) {
        Map<String, SubscriptionOptions> more = new LinkedHashMap<>(subscriptions);
        more.put(name, options);
        return new TopicOptions(intake, more);
    }

    public QueueOptions intake() {
        return intake;
    }

    /** The subscriptions at creation, by name; a copy. */
    public Map<String, SubscriptionOptions> subscriptions() {
        return new LinkedHashMap<>(subscriptions);
    }

    /** Null without duplicate detection. */
    public @Nullable Duration duplicateWindow() {
        return intake.duplicateWindow();
    }
}
