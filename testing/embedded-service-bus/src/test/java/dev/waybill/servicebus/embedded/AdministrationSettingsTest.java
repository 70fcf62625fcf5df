package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every setting that the client library sends is read, at creation and in a change: elements that came out of order would
 * be passed over without a word.
 */
class AdministrationSettingsTest extends NamespaceCase {
    private ServiceBusAdministrationClient admin;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("target");
    }

    @BeforeEach
    void connect() {
        admin = bus.administration();
    }

    @Test
    void no_setting_of_a_queue_is_passed_over() {
        admin.createQueue(
                bus.name("made"),
                new CreateQueueOptions()
                        .setForwardTo(bus.name("target"))
                        .setForwardDeadLetteredMessagesTo(bus.name("target"))
                        .setAutoDeleteOnIdle(Duration.ofHours(3))
                        .setStatus(EntityStatus.SEND_DISABLED)
                        .setUserMetadata("note"));
        QueueProperties made = admin.getQueue(bus.name("made"));
        assertThat(made.getForwardTo()).endsWith(bus.name("target"));
        assertThat(made.getForwardDeadLetteredMessagesTo()).endsWith(bus.name("target"));
        assertThat(made.getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(3));
        assertThat(made.getStatus()).isEqualTo(EntityStatus.SEND_DISABLED);
        assertThat(made.getUserMetadata()).isEqualTo("note");

        made.setAutoDeleteOnIdle(Duration.ofHours(4))
                .setUserMetadata("other")
                .setStatus(EntityStatus.ACTIVE)
                .setLockDuration(Duration.ofSeconds(20));
        QueueProperties changed = admin.updateQueue(made);
        assertThat(changed.getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(4));
        assertThat(changed.getUserMetadata()).isEqualTo("other");
        assertThat(changed.getStatus()).isEqualTo(EntityStatus.ACTIVE);
        assertThat(changed.getLockDuration()).isEqualTo(Duration.ofSeconds(20));
        assertThat(changed.getForwardDeadLetteredMessagesTo()).endsWith(bus.name("target"));
    }

    @Test
    void no_setting_of_a_topic_is_passed_over() {
        admin.createTopic(
                bus.name("made"),
                new CreateTopicOptions()
                        .setDefaultMessageTimeToLive(Duration.ofHours(2))
                        .setMaxSizeInMegabytes(2048)
                        .setDuplicateDetectionRequired(true)
                        .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(3))
                        .setStatus(EntityStatus.DISABLED)
                        .setUserMetadata("note")
                        .setAutoDeleteOnIdle(Duration.ofHours(3)));
        TopicProperties made = admin.getTopic(bus.name("made"));
        assertThat(made.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofHours(2));
        assertThat(made.getMaxSizeInMegabytes()).isEqualTo(2048);
        assertThat(made.isDuplicateDetectionRequired()).isTrue();
        assertThat(made.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(3));
        assertThat(made.getStatus()).isEqualTo(EntityStatus.DISABLED);
        assertThat(made.getUserMetadata()).isEqualTo("note");
        assertThat(made.getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(3));

        TopicProperties changed =
                admin.updateTopic(made.setAutoDeleteOnIdle(Duration.ofHours(4)).setUserMetadata("other"));
        assertThat(changed.getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(4));
        assertThat(changed.getUserMetadata()).isEqualTo("other");
    }

    @Test
    void no_setting_of_a_subscription_is_passed_over() {
        admin.createTopic(bus.name("topic"));
        admin.createSubscription(
                bus.name("topic"),
                "made",
                new CreateSubscriptionOptions()
                        .setLockDuration(Duration.ofSeconds(30))
                        .setDefaultMessageTimeToLive(Duration.ofHours(2))
                        .setDeadLetteringOnMessageExpiration(true)
                        .setEnableDeadLetteringOnFilterEvaluationExceptions(false)
                        .setMaxDeliveryCount(3)
                        .setForwardTo(bus.name("target"))
                        .setForwardDeadLetteredMessagesTo(bus.name("target"))
                        .setUserMetadata("note")
                        .setAutoDeleteOnIdle(Duration.ofHours(3)));
        SubscriptionProperties made = admin.getSubscription(bus.name("topic"), "made");
        assertThat(made.getLockDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(made.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofHours(2));
        assertThat(made.isDeadLetteringOnMessageExpiration()).isTrue();
        assertThat(made.isDeadLetteringOnFilterEvaluationExceptions()).isFalse();
        assertThat(made.getMaxDeliveryCount()).isEqualTo(3);
        assertThat(made.getForwardTo()).endsWith(bus.name("target"));
        assertThat(made.getForwardDeadLetteredMessagesTo()).endsWith(bus.name("target"));
        assertThat(made.getUserMetadata()).isEqualTo("note");
        assertThat(made.getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(3));

        SubscriptionProperties changed = admin.updateSubscription(
                made.setAutoDeleteOnIdle(Duration.ofHours(4)).setUserMetadata("other"));
        assertThat(changed.getAutoDeleteOnIdle()).isEqualTo(Duration.ofHours(4));
        assertThat(changed.getUserMetadata()).isEqualTo("other");
        assertThat(changed.getForwardTo()).endsWith(bus.name("target"));
    }
}
