package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import dev.waybill.servicebus.embedded.entity.MessageEntity;
import java.time.Duration;

/** Writes settings and counts into a description. */
final class OptionsWriter {
    /** How Service Bus writes the longest duration it knows. */
    private static final String FOREVER = "P10675199DT2H48M5.4775807S";

    private final XmlText xml;
    private final QueueOptions options;

    OptionsWriter(XmlText xml, QueueOptions options) {
        this.xml = xml;
        this.options = options;
    }

    /** What concerns receiving: of queues and subscriptions. */
    OptionsWriter delivery() {
        xml.element("LockDuration", options.lockDuration());
        xml.element("RequiresSession", options.sessionRequired());
        xml.element("DeadLetteringOnMessageExpiration", options.deadLettersExpired());
        xml.element("MaxDeliveryCount", options.maxDeliveryCount());
        xml.element("ForwardTo", options.forwardTo());
        xml.element("ForwardDeadLetteredMessagesTo", options.forwardDeadLettersTo());
        return this;
    }

    /** What concerns sending: of queues and topics. */
    OptionsWriter intake() {
        Duration window = options.duplicateWindow();
        xml.element("MaxSizeInMegabytes", options.maxSizeBytes() / (1024 * 1024));
        xml.element("RequiresDuplicateDetection", window != null);
        xml.element("DuplicateDetectionHistoryTimeWindow", window == null ? Duration.ofMinutes(10) : window);
        xml.element("EnablePartitioning", options.partitioned());
        xml.element("IsAnonymousAccessible", false);
        xml.element("SupportOrdering", true);
        xml.element("EnableExpress", false);
        if (options.maxMessageBytes() > 0) {
            xml.element("MaxMessageSizeInKilobytes", options.maxMessageBytes() / 1024);
        }
        return this;
    }

    /** What all have. */
    OptionsWriter common(MessageEntity entity) {
        xml.element("DefaultMessageTimeToLive", duration(options.timeToLive()));
        xml.element("AutoDeleteOnIdle", duration(options.autoDeleteOnIdle()));
        xml.element("EnableBatchedOperations", true);
        xml.element("Status", status(options.status()));
        xml.element("UserMetadata", options.userMetadata().isEmpty() ? null : options.userMetadata());
        xml.element("CreatedAt", entity.times().created());
        xml.element("UpdatedAt", entity.times().updated());
        xml.element("AccessedAt", entity.times().accessed());
        xml.element("EntityAvailabilityStatus", "Available");
        return this;
    }

    OptionsWriter counts(EntitySnapshot now) {
        xml.element("SizeInBytes", now.bytes());
        xml.element("MessageCount", now.active() + now.deferred() + now.scheduled() + now.deadLetters());
        xml.open("CountDetails", "");
        xml.element("c:ActiveMessageCount", now.active());
        xml.element("c:DeadLetterMessageCount", now.deadLetters());
        xml.element("c:ScheduledMessageCount", now.scheduled());
        xml.element("c:TransferMessageCount", 0);
        xml.element("c:TransferDeadLetterMessageCount", now.transferDeadLetters());
        xml.close("CountDetails");
        return this;
    }

    private static String duration(Duration duration) {
        return duration.compareTo(QueueOptions.UNLIMITED) >= 0 ? FOREVER : duration.toString();
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
