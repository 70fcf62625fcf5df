package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionRuntimeProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import com.azure.messaging.servicebus.administration.models.TopicRuntimeProperties;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SDK's models in our words. */
final class EntityMapping {
    private static final long MIB = 1L << 20;
    private static final long KIB = 1L << 10;

    private EntityMapping() {}

    static String path(String topic, String subscription) {
        return topic + "/Subscriptions/" + subscription;
    }

    static EntityProperties ofQueue(QueueProperties queue, QueueRuntimeProperties now) {
        return new EntityProperties(
                queue.getName(),
                false,
                queue.isSessionRequired(),
                queue.isPartitioningEnabled(),
                queue.isDuplicateDetectionRequired() ? queue.getDuplicateDetectionHistoryTimeWindow() : Duration.ZERO,
                queue.getLockDuration(),
                queue.getMaxDeliveryCount(),
                queue.getDefaultMessageTimeToLive(),
                queue.isDeadLetteringOnMessageExpiration(),
                entity(queue.getForwardTo()),
                entity(queue.getForwardDeadLetteredMessagesTo()),
                String.valueOf(queue.getStatus()),
                queue.getMaxMessageSizeInKilobytes() * KIB,
                share(now.getSizeInBytes(), queue.getMaxSizeInMegabytes()),
                now.getActiveMessageCount(),
                now.getDeadLetterMessageCount(),
                now.getTransferDeadLetterMessageCount(),
                Map.of());
    }

    static EntityProperties ofTopic(TopicProperties topic, TopicRuntimeProperties now) {
        return new EntityProperties(
                topic.getName(),
                true,
                false,
                topic.isPartitioningEnabled(),
                topic.isDuplicateDetectionRequired() ? topic.getDuplicateDetectionHistoryTimeWindow() : Duration.ZERO,
                Duration.ZERO,
                0,
                topic.getDefaultMessageTimeToLive(),
                false,
                Optional.empty(),
                Optional.empty(),
                String.valueOf(topic.getStatus()),
                topic.getMaxMessageSizeInKilobytes() * KIB,
                share(now.getSizeInBytes(), topic.getMaxSizeInMegabytes()),
                0,
                0,
                0,
                Map.of());
    }

    static EntityProperties ofSubscription(
            SubscriptionProperties subscription, SubscriptionRuntimeProperties now, Map<String, String> rules) {
        return new EntityProperties(
                path(subscription.getTopicName(), subscription.getSubscriptionName()),
                false,
                subscription.isSessionRequired(),
                false,
                Duration.ZERO,
                subscription.getLockDuration(),
                subscription.getMaxDeliveryCount(),
                subscription.getDefaultMessageTimeToLive(),
                subscription.isDeadLetteringOnMessageExpiration(),
                entity(subscription.getForwardTo()),
                entity(subscription.getForwardDeadLetteredMessagesTo()),
                String.valueOf(subscription.getStatus()),
                0,
                0,
                now.getActiveMessageCount(),
                now.getDeadLetterMessageCount(),
                now.getTransferDeadLetterMessageCount(),
                rules);
    }

    static String filter(RuleProperties rule) {
        if (rule.getFilter() instanceof SqlRuleFilter sql) {
            return String.valueOf(sql.getSqlExpression());
        }
        if (rule.getFilter() instanceof CorrelationRuleFilter correlation) {
            return "correlation " + correlation;
        }
        return String.valueOf(rule.getFilter());
    }

    // The service gives forwards as whole addresses.
    private static Optional<String> entity(@Nullable String forward) {
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
