package dev.waybill.servicebus.embedded.administration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The elements of descriptions in the order in which Service Bus expects them. Its deserializer reads ahead only: it
 * passes over an element that comes too late, or twice, or that it does not know, and says nothing. The order is that
 * of Azure's client for .NET.
 */
final class ElementOrder {
    private static final Logger log = LoggerFactory.getLogger(ElementOrder.class);

    private static final Map<String, List<String>> ORDER = Map.of(
            "QueueDescription",
            List.of(
                    "LockDuration",
                    "MaxSizeInMegabytes",
                    "RequiresDuplicateDetection",
                    "RequiresSession",
                    "DefaultMessageTimeToLive",
                    "DeadLetteringOnMessageExpiration",
                    "DuplicateDetectionHistoryTimeWindow",
                    "MaxDeliveryCount",
                    "EnableBatchedOperations",
                    "IsAnonymousAccessible",
                    "AuthorizationRules",
                    "Status",
                    "ForwardTo",
                    "SupportOrdering",
                    "AutoDeleteOnIdle",
                    "EnablePartitioning",
                    "ForwardDeadLetteredMessagesTo",
                    "EnableExpress",
                    "MaxMessageSizeInKilobytes"),
            "TopicDescription",
            List.of(
                    "DefaultMessageTimeToLive",
                    "MaxSizeInMegabytes",
                    "RequiresDuplicateDetection",
                    "DuplicateDetectionHistoryTimeWindow",
                    "EnableBatchedOperations",
                    "FilteringMessagesBeforePublishing",
                    "IsAnonymousAccessible",
                    "AuthorizationRules",
                    "Status",
                    "ForwardTo",
                    "SupportOrdering",
                    "AutoDeleteOnIdle",
                    "EnablePartitioning",
                    "EnableSubscriptionPartitioning",
                    "EnableExpress",
                    "MaxMessageSizeInKilobytes"),
            "SubscriptionDescription",
            List.of(
                    "LockDuration",
                    "RequiresSession",
                    "DefaultMessageTimeToLive",
                    "DeadLetteringOnMessageExpiration",
                    "DeadLetteringOnFilterEvaluationExceptions",
                    "DefaultRuleDescription",
                    "MaxDeliveryCount",
                    "EnableBatchedOperations",
                    "Status",
                    "ForwardTo",
                    "ForwardDeadLetteredMessagesTo",
                    "AutoDeleteOnIdle"));

    /** Elements that answers tell and requests may repeat, wherever they stand. */
    private static final List<String> TOLD_ONLY = List.of(
            "SizeInBytes",
            "MessageCount",
            "CreatedAt",
            "UpdatedAt",
            "AccessedAt",
            "CountDetails",
            "SubscriptionCount",
            "EntityAvailabilityStatus",
            "SkippedUpdate");

    /**
     * A note has no effect but to be read back, and Service Bus gives back what it has passed over. The clients for Java
     * and Python send that of a topic late.
     */
    private static final String NOTE = "UserMetadata";

    private ElementOrder() {}

    /** The description with the elements that Service Bus would read. */
    static XmlElement read(XmlElement description) {
        List<String> order = ORDER.get(description.name());
        if (order == null) {
            return description;
        }
        List<XmlElement> taken = new ArrayList<>();
        int last = -1;
        for (XmlElement child : description.children()) {
            int at = child.isOfServiceBus() ? order.indexOf(child.name()) : -1;
            if (at > last || (child.isOfServiceBus() && child.name().equals(NOTE))) {
                last = Math.max(last, at);
                taken.add(child);
            } else if (!TOLD_ONLY.contains(child.name())) {
                log.warn(
                        "Ignored {} of a {}: the element is unknown, repeated or out of order, and Service Bus ignores"
                                + " it too",
                        child.name(),
                        description.name());
            }
        }
        return description.with(taken);
    }
}
