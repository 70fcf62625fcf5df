package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Form;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;

/** Maps declarations to the SDK's models. */
final class NewEntities {
    private static final long KIB = 1L << 10;

    private NewEntities() {}

    static CreateQueueOptions queue(DestinationSettings declared, boolean premium) {
        Form form = declared.form();
        Receiving receiving = declared.receiving();
        var queue = new CreateQueueOptions()
                .setSessionRequired(form.sessions())
                .setPartitioningEnabled(form.partitioned())
                .setLockDuration(receiving.lockDuration())
                .setMaxDeliveryCount(receiving.maxDeliveryCount())
                .setDefaultMessageTimeToLive(receiving.timeToLive())
                .setDeadLetteringOnMessageExpiration(receiving.deadLetterOnExpiry());
        receiving.forwardTo().ifPresent(queue::setForwardTo);
        receiving.forwardDeadLettersTo().ifPresent(queue::setForwardDeadLetteredMessagesTo);
        if (!form.duplicateWindow().isZero()) {
            queue.setDuplicateDetectionRequired(true).setDuplicateDetectionHistoryTimeWindow(form.duplicateWindow());
        }
        if (premium && form.maxMessageSize() > 0) {
            queue.setMaxMessageSizeInKilobytes(kilobytes(form));
        }
        return queue;
    }

    static CreateTopicOptions topic(DestinationSettings declared, boolean premium) {
        Form form = declared.form();
        var topic = new CreateTopicOptions().setPartitioningEnabled(form.partitioned());
        if (!form.duplicateWindow().isZero()) {
            topic.setDuplicateDetectionRequired(true).setDuplicateDetectionHistoryTimeWindow(form.duplicateWindow());
        }
        if (premium && form.maxMessageSize() > 0) {
            topic.setMaxMessageSizeInKilobytes(kilobytes(form));
        }
        return topic;
    }

    static CreateSubscriptionOptions subscription(Subscription declared) {
        Receiving receiving = declared.receiving();
        var subscription = new CreateSubscriptionOptions()
                .setSessionRequired(declared.sessions())
                .setLockDuration(receiving.lockDuration())
                .setMaxDeliveryCount(receiving.maxDeliveryCount())
                .setDefaultMessageTimeToLive(receiving.timeToLive())
                .setDeadLetteringOnMessageExpiration(receiving.deadLetterOnExpiry());
        receiving.forwardTo().ifPresent(subscription::setForwardTo);
        receiving.forwardDeadLettersTo().ifPresent(subscription::setForwardDeadLetteredMessagesTo);
        return subscription;
    }

    // Other tiers have a fixed limit and reject the property.
    static long kilobytes(Form form) {
        return (form.maxMessageSize() + KIB - 1) / KIB;
    }
}
