package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes entities. A change reads the entity, sets the declared properties, and writes all of them back,
 * which preserves the others. Azure has no conditional write, so the last of two concurrent changes wins. Not thread-safe.
 */
public final class EntityWriter {
    private static final long LARGEST_TOLD = 5_120;
    private static final int PARTITIONS = 16;

    private final Supplier<ServiceBusAdministrationClient> clients;
    private final boolean premium;
    private @Nullable ServiceBusAdministrationClient client;

    EntityWriter(Supplier<ServiceBusAdministrationClient> clients, boolean premium) {
        this.clients = clients;
        this.premium = premium;
    }

    public WriteResult create(DestinationSettings declared) {
        String path = declared.place().entity();
        return WriteResult.by(() -> {
            if (declared.form().topic()) {
                client().createTopic(path, NewEntities.topic(declared, premium));
            } else {
                client().createQueue(path, NewEntities.queue(declared, premium));
            }
        });
    }

    /** Creates a subscription with its first rule; a subscription without rules would receive every message. */
    public WriteResult create(String topic, String name, Subscription declared) {
        Optional<Map.Entry<String, String>> first =
                declared.rules().entrySet().stream().findFirst();
        return WriteResult.by(() -> {
            if (first.isEmpty()) {
                client().createSubscription(topic, name, NewEntities.subscription(declared));
            } else {
                client().createSubscription(
                                topic,
                                name,
                                first.get().getKey(),
                                NewEntities.subscription(declared),
                                new CreateRuleOptions(
                                        new SqlRuleFilter(first.get().getValue())));
            }
        });
    }

    /** Changes the mutable settings of a queue or topic. */
    public WriteResult change(DestinationSettings declared) {
        return WriteResult.by(() -> {
            if (declared.form().topic()) {
                client().updateTopic(changed(client().getTopic(declared.place().entity()), declared));
            } else {
                client().updateQueue(changed(client().getQueue(declared.place().entity()), declared));
            }
        });
    }

    private TopicProperties changed(TopicProperties topic, DestinationSettings declared) {
        if (topic.isDuplicateDetectionRequired()
                && !declared.form().duplicateWindow().isZero()) {
            topic.setDuplicateDetectionHistoryTimeWindow(declared.form().duplicateWindow());
        }
        if (premium && declared.form().maxMessageSize() > 0) {
            topic.setMaxMessageSizeInKilobytes(NewEntities.kilobytes(declared.form()));
        }
        return topic.setMaxSizeInMegabytes(size(topic.isPartitioningEnabled(), topic.getMaxSizeInMegabytes()));
    }

    private QueueProperties changed(QueueProperties queue, DestinationSettings declared) {
        Receiving receiving = declared.receiving();
        if (queue.isDuplicateDetectionRequired()
                && !declared.form().duplicateWindow().isZero()) {
            queue.setDuplicateDetectionHistoryTimeWindow(declared.form().duplicateWindow());
        }
        if (premium && declared.form().maxMessageSize() > 0) {
            queue.setMaxMessageSizeInKilobytes(NewEntities.kilobytes(declared.form()));
        }
        return queue.setMaxSizeInMegabytes(
                        Math.toIntExact(size(queue.isPartitioningEnabled(), queue.getMaxSizeInMegabytes())))
                .setLockDuration(receiving.lockDuration())
                .setMaxDeliveryCount(receiving.maxDeliveryCount())
                .setDefaultMessageTimeToLive(receiving.timeToLive())
                .setDeadLetteringOnMessageExpiration(receiving.deadLetterOnExpiry())
                .setForwardTo(target(receiving.forwardTo(), queue.getForwardTo()))
                .setForwardDeadLetteredMessagesTo(
                        target(receiving.forwardDeadLettersTo(), queue.getForwardDeadLetteredMessagesTo()));
    }

    // Below Premium, a partitioned entity reports the size of all partitions and rejects that value.
    private long size(boolean partitioned, long megabytes) {
        return partitioned && !premium && megabytes > LARGEST_TOLD ? megabytes / PARTITIONS : megabytes;
    }

    /** Changes the mutable settings of a subscription, without its rules. */
    public WriteResult change(String topic, String name, Subscription declared) {
        Receiving receiving = declared.receiving();
        return WriteResult.by(() -> {
            SubscriptionProperties subscription = client().getSubscription(topic, name);
            subscription
                    .setLockDuration(receiving.lockDuration())
                    .setMaxDeliveryCount(receiving.maxDeliveryCount())
                    .setDefaultMessageTimeToLive(receiving.timeToLive())
                    .setDeadLetteringOnMessageExpiration(receiving.deadLetterOnExpiry())
                    .setForwardTo(target(receiving.forwardTo(), subscription.getForwardTo()))
                    .setForwardDeadLetteredMessagesTo(
                            target(receiving.forwardDeadLettersTo(), subscription.getForwardDeadLetteredMessagesTo()));
            client().updateSubscriptionWithResponse(subscription, SubscriptionLifetime.context(receiving.timeToLive()));
        });
    }

    // Service Bus returns targets as addresses of the scheme sb, which the SDK would send back as names.
    private static @Nullable String target(Optional<String> declared, @Nullable String actual) {
        return declared.or(() -> EntityMapping.entity(actual)).orElse(null);
    }

    /** Adds a rule, or replaces the filter of an existing one. */
    public WriteResult rule(String topic, String subscription, String name, String sql) {
        return WriteResult.by(() -> {
            for (RuleProperties rule : client().listRules(topic, subscription)) {
                if (rule.getName().equalsIgnoreCase(name)) {
                    client().updateRule(topic, subscription, rule.setFilter(new SqlRuleFilter(sql)));
                    return;
                }
            }
            client().createRule(topic, name, subscription, new CreateRuleOptions(new SqlRuleFilter(sql)));
        });
    }

    public WriteResult deleteRule(String topic, String subscription, String name) {
        return WriteResult.by(() -> client().deleteRule(topic, subscription, name));
    }

    public WriteResult deleteQueue(String path) {
        return WriteResult.by(() -> client().deleteQueue(path));
    }

    public WriteResult deleteTopic(String path) {
        return WriteResult.by(() -> client().deleteTopic(path));
    }

    public WriteResult deleteSubscription(String topic, String name) {
        return WriteResult.by(() -> client().deleteSubscription(topic, name));
    }

    private ServiceBusAdministrationClient client() {
        if (client == null) {
            client = clients.get();
        }
        return client;
    }
}
