package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import dev.waybill.servicebus.embedded.entity.MessageEntity;
import dev.waybill.servicebus.embedded.entity.Subscription;
import dev.waybill.servicebus.embedded.entity.Topic;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes descriptions with the elements of Service Bus, in its order. The order, and the elements absent from the answer to a creation,
 * come from replies recorded by the tests of Azure's client for Python.
 */
final class OptionsWriter {
    /** The longest duration, as Service Bus writes it. */
    private static final String FOREVER = "P10675199DT2H48M5.4775807S";

    /** The first API version whose descriptions contain the largest message size. */
    private static final String KNOWS_MESSAGE_SIZES = "2021-05";

    private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

    private final XmlText xml = new XmlText();
    private final Request request;
    private final MessageEntity entity;
    private final QueueOptions options;

    private OptionsWriter(Request request, MessageEntity entity) {
        this.request = request;
        this.entity = entity;
        this.options = entity.options();
    }

    static String queue(Request request, MessageEntity queue) {
        OptionsWriter writer = new OptionsWriter(request, queue);
        writer.xml.openDescription("QueueDescription").element("LockDuration", writer.options.lockDuration());
        writer.size();
        writer.xml.element("RequiresSession", writer.options.sessionRequired());
        writer.timeToLive();
        writer.xml.element("DeadLetteringOnMessageExpiration", writer.options.deadLettersExpired());
        writer.duplicateWindow();
        writer.xml.element("MaxDeliveryCount", writer.options.maxDeliveryCount());
        writer.held().element("MessageCount", writer.messageCount());
        writer.access("d2p1").tail();
        writer.xml.element("ForwardDeadLetteredMessagesTo", writer.options.forwardDeadLettersToAsGiven());
        writer.xml.element("EnableExpress", false);
        return writer.largestMessage().close("QueueDescription").toString();
    }

    static String topic(Request request, Topic topic) {
        OptionsWriter writer = new OptionsWriter(request, topic.intake());
        writer.xml.openDescription("TopicDescription");
        writer.timeToLive();
        writer.size();
        writer.duplicateWindow();
        writer.held().element("FilteringMessagesBeforePublishing", false);
        writer.access("d2p1");
        if (request.isGet()) {
            writer.xml.element("SubscriptionCount", topic.subscriptions().size());
        }
        writer.tail().element("EnableSubscriptionPartitioning", false).element("EnableExpress", false);
        return writer.largestMessage().close("TopicDescription").toString();
    }

    static String subscription(Request request, Subscription subscription) {
        OptionsWriter writer = new OptionsWriter(request, subscription.messages());
        XmlText xml = writer.xml.openDescription("SubscriptionDescription");
        xml.element("LockDuration", writer.options.lockDuration());
        xml.element("RequiresSession", writer.options.sessionRequired());
        writer.timeToLive();
        xml.element("DeadLetteringOnMessageExpiration", writer.options.deadLettersExpired());
        xml.element("DeadLetteringOnFilterEvaluationExceptions", subscription.deadLettersFilterErrors());
        xml.element("MessageCount", writer.messageCount());
        xml.element("MaxDeliveryCount", writer.options.maxDeliveryCount());
        xml.element("EnableBatchedOperations", true);
        xml.element("Status", status(writer.options.status()));
        xml.element("ForwardTo", writer.options.forwardToAsGiven());
        writer.times(writer.entity.times().created());
        writer.counts("d3p1");
        xml.element("ForwardDeadLetteredMessagesTo", writer.options.forwardDeadLettersToAsGiven());
        xml.element("AutoDeleteOnIdle", duration(writer.options.autoDeleteOnIdle()));
        xml.element("EntityAvailabilityStatus", "Available");
        return xml.close("SubscriptionDescription").toString();
    }

    private void timeToLive() {
        xml.element("DefaultMessageTimeToLive", duration(options.timeToLive()));
    }

    private void size() {
        xml.element("MaxSizeInMegabytes", options.maxSizeBytes() / (1024 * 1024));
        xml.element("RequiresDuplicateDetection", options.duplicateWindow() != null);
    }

    private void duplicateWindow() {
        Duration window = options.duplicateWindow();
        xml.element("DuplicateDetectionHistoryTimeWindow", window == null ? Duration.ofMinutes(10) : window);
    }

    private XmlText held() {
        xml.element("EnableBatchedOperations", true);
        return xml.element("SizeInBytes", entity.snapshot().bytes());
    }

    private OptionsWriter access(String prefix) {
        xml.element("IsAnonymousAccessible", false);
        xml.open("AuthorizationRules", "").close("AuthorizationRules");
        xml.element("Status", status(options.status()));
        xml.element("ForwardTo", options.forwardToAsGiven());
        times(NEVER);
        xml.element("SupportOrdering", !options.partitioned());
        counts(prefix);
        return this;
    }

    // Service Bus reports the creation of a subscription as its first access; a new queue or topic has none.
    private void times(Instant unused) {
        xml.element("UserMetadata", options.userMetadata().isEmpty() ? null : options.userMetadata());
        xml.element("CreatedAt", entity.times().created());
        xml.element("UpdatedAt", entity.times().updated());
        if (request.isGet()) {
            Instant accessed = entity.times().accessed();
            xml.element("AccessedAt", accessed == null ? unused : accessed);
        }
    }

    private XmlText tail() {
        xml.element("AutoDeleteOnIdle", duration(options.autoDeleteOnIdle()));
        xml.element("EnablePartitioning", options.partitioned());
        return xml.element("EntityAvailabilityStatus", "Available");
    }

    private XmlText largestMessage() {
        return request.atLeast(KNOWS_MESSAGE_SIZES)
                ? xml.element("MaxMessageSizeInKilobytes", entity.maxMessageBytes() / 1024)
                : xml;
    }

    private int messageCount() {
        return entity.snapshot().counts().total();
    }

    // Azure's client for JavaScript looks for the prefix on this element.
    private void counts(String prefix) {
        if (!request.isGet()) {
            return;
        }
        EntitySnapshot now = entity.snapshot();
        xml.open("CountDetails", "xmlns:" + prefix + "=\"" + XmlText.COUNTS + "\"");
        xml.element(prefix + ":ActiveMessageCount", now.active());
        xml.element(prefix + ":DeadLetterMessageCount", now.deadLetters());
        xml.element(prefix + ":ScheduledMessageCount", now.scheduled());
        xml.element(prefix + ":TransferMessageCount", 0);
        xml.element(prefix + ":TransferDeadLetterMessageCount", now.transferDeadLetters());
        xml.close("CountDetails");
    }

    // Clients truncate the fractional seconds of the longest duration differently.
    private static String duration(Duration duration) {
        return duration.toDays() >= QueueOptions.UNLIMITED.toDays() ? FOREVER : duration.toString();
    }

    private static String status(EntityStatus status) {
        return switch (status) {
            case ACTIVE -> "Active";
            case DISABLED -> "Disabled";
            case SEND_DISABLED -> "SendDisabled";
            case RECEIVE_DISABLED -> "ReceiveDisabled";
        };
    }
}
