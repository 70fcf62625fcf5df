package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import com.azure.messaging.servicebus.administration.models.TopicRuntimeProperties;
import dev.waybill.standalone.config.DestinationSettings.Form;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.servicebus.EntityProperties.Messages;
import dev.waybill.standalone.servicebus.EntityProperties.State;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps the SDK's models to those of Waybill. */
final class EntityMapping {
    private static final long MIB = 1L << 20;
    private static final long KIB = 1L << 10;

    private EntityMapping() {}

    static String path(String topic, String subscription) {
        return topic + "/Subscriptions/" + subscription;
    }

    static EntityProperties ofQueue(QueueProperties queue, QueueRuntimeProperties now) {
        var form = new Form(
                false,
                queue.isPartitioningEnabled(),
                queue.isSessionRequired(),
                queue.isDuplicateDetectionRequired() ? queue.getDuplicateDetectionHistoryTimeWindow() : Duration.ZERO,
                queue.getMaxMessageSizeInKilobytes() * KIB);
        var receiving = new Receiving(
                queue.getLockDuration(),
                queue.getMaxDeliveryCount(),
                queue.getDefaultMessageTimeToLive(),
                queue.isDeadLetteringOnMessageExpiration(),
                entity(queue.getForwardTo()),
                entity(queue.getForwardDeadLetteredMessagesTo()));
        var messages = new Messages(
                now.getActiveMessageCount(),
                now.getDeadLetterMessageCount(),
                now.getTransferDeadLetterMessageCount(),
                now.getTotalMessageCount());
        double full = share(now.getSizeInBytes(), queue.getMaxSizeInMegabytes());
        var state = new State(String.valueOf(queue.getStatus()), full, messages);
        return new EntityProperties(queue.getName(), form, receiving, state, Map.of());
    }

    static EntityProperties ofTopic(TopicProperties topic, TopicRuntimeProperties now) {
        var form = new Form(
                true,
                topic.isPartitioningEnabled(),
                false,
                topic.isDuplicateDetectionRequired() ? topic.getDuplicateDetectionHistoryTimeWindow() : Duration.ZERO,
                topic.getMaxMessageSizeInKilobytes() * KIB);
        var receiving = new Receiving(
                Duration.ZERO, 0, topic.getDefaultMessageTimeToLive(), false, Optional.empty(), Optional.empty());
        double full = share(now.getSizeInBytes(), topic.getMaxSizeInMegabytes());
        var messages = new Messages(0, 0, 0, now.getScheduledMessageCount());
        var state = new State(String.valueOf(topic.getStatus()), full, messages);
        return new EntityProperties(topic.getName(), form, receiving, state, Map.of());
    }

    static EntityProperties ofSubscription(
            SubscriptionProperties subscription, SubscriptionRuntimeProperties now, Map<String, String> rules) {
        var form = new Form(false, false, subscription.isSessionRequired(), Duration.ZERO, 0);
        var receiving = new Receiving(
                subscription.getLockDuration(),
                subscription.getMaxDeliveryCount(),
                subscription.getDefaultMessageTimeToLive(),
                subscription.isDeadLetteringOnMessageExpiration(),
                entity(subscription.getForwardTo()),
                entity(subscription.getForwardDeadLetteredMessagesTo()));
        var messages = new Messages(
                now.getActiveMessageCount(),
                now.getDeadLetterMessageCount(),
                now.getTransferDeadLetterMessageCount(),
                now.getTotalMessageCount());
        var state = new State(String.valueOf(subscription.getStatus()), 0, messages);
        String path = path(subscription.getTopicName(), subscription.getSubscriptionName());
        return new EntityProperties(path, form, receiving, state, rules);
    }

    /** The filter as text; a default rule with an action gets a remark. */
    static String text(RuleProperties rule) {
        boolean acts =
                rule.getAction() instanceof SqlRuleAction && rule.getName().equals("$Default");
        return filter(rule) + (acts ? ", with an action" : "");
    }

    private static String filter(RuleProperties rule) {
        if (rule.getFilter() instanceof SqlRuleFilter sql) {
            return String.valueOf(sql.getSqlExpression());
        }
        if (rule.getFilter() instanceof CorrelationRuleFilter correlation) {
            return "correlation " + correlation;
        }
        return String.valueOf(rule.getFilter());
    }

    // Service Bus returns forwards as addresses.
    static Optional<String> entity(@Nullable String forward) {
        if (forward == null || forward.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(
                forward.contains("://") ? URI.create(forward).getPath().substring(1) : forward);
    }

    private static double share(long bytes, long megabytes) {
        return megabytes <= 0 ? 0 : (double) bytes / (megabytes * MIB);
    }
}
