package dev.waybill.servicebus.embedded.live;

import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleFilter;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.filter.CorrelationFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import dev.waybill.servicebus.embedded.filter.SqlFilter;
import dev.waybill.servicebus.embedded.filter.SystemProperty;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Settings of the embedded broker as requests of administration; refused are those that no request can express. */
final class EntityRequests {
    /** A run that is killed leaves nothing for good: the shortest time that outlives any case by far. */
    private static final Duration LEFT_ALONE = Duration.ofHours(1);

    private static final Duration SHORTEST_LOCK = Duration.ofSeconds(5);
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(20);
    private static final Duration SHORTEST_LIFE = Duration.ofSeconds(1);
    private static final long MEGABYTE = 1024L * 1024;
    private static final long SMALLEST = 1024;

    private EntityRequests() {}

    /** A rule's name and its settings. */
    record Rule(String name, CreateRuleOptions options) {}

    static CreateQueueOptions queue(QueueOptions options, UnaryOperator<@Nullable String> target) {
        CreateQueueOptions request = new CreateQueueOptions()
                .setSessionRequired(options.sessionRequired())
                .setPartitioningEnabled(options.partitioned())
                .setDeadLetteringOnMessageExpiration(options.deadLettersExpired())
                .setLockDuration(lock(options))
                .setMaxDeliveryCount(options.maxDeliveryCount())
                .setMaxSizeInMegabytes(megabytes(options))
                .setAutoDeleteOnIdle(idle(options))
                .setStatus(status(options))
                .setUserMetadata(options.userMetadata().isEmpty() ? null : options.userMetadata())
                .setForwardTo(target.apply(options.forwardTo()))
                .setForwardDeadLetteredMessagesTo(target.apply(options.forwardDeadLettersTo()));
        if (limited(options.timeToLive())) {
            request.setDefaultMessageTimeToLive(atLeast(SHORTEST_LIFE, options.timeToLive(), "time to live"));
        }
        Duration window = options.duplicateWindow();
        if (window != null) {
            request.setDuplicateDetectionRequired(true)
                    .setDuplicateDetectionHistoryTimeWindow(atLeast(SHORTEST_WINDOW, window, "duplicate window"));
        }
        return request;
    }

    static CreateTopicOptions topic(TopicOptions options) {
        QueueOptions intake = options.intake();
        CreateTopicOptions request = new CreateTopicOptions()
                .setPartitioningEnabled(intake.partitioned())
                .setMaxSizeInMegabytes(megabytes(intake))
                .setAutoDeleteOnIdle(idle(intake));
        if (limited(intake.timeToLive())) {
            request.setDefaultMessageTimeToLive(atLeast(SHORTEST_LIFE, intake.timeToLive(), "time to live"));
        }
        Duration window = options.duplicateWindow();
        if (window != null) {
            request.setDuplicateDetectionRequired(true)
                    .setDuplicateDetectionHistoryTimeWindow(atLeast(SHORTEST_WINDOW, window, "duplicate window"));
        }
        return request;
    }

    static CreateSubscriptionOptions subscription(SubscriptionOptions options, UnaryOperator<@Nullable String> target) {
        QueueOptions delivery = options.delivery();
        CreateSubscriptionOptions request = new CreateSubscriptionOptions()
                .setSessionRequired(delivery.sessionRequired())
                .setDeadLetteringOnMessageExpiration(delivery.deadLettersExpired())
                .setEnableDeadLetteringOnFilterEvaluationExceptions(options.deadLettersFilterErrors())
                .setLockDuration(lock(delivery))
                .setMaxDeliveryCount(delivery.maxDeliveryCount())
                .setForwardTo(target.apply(delivery.forwardTo()))
                .setForwardDeadLetteredMessagesTo(target.apply(delivery.forwardDeadLettersTo()));
        if (limited(delivery.timeToLive())) {
            request.setDefaultMessageTimeToLive(atLeast(SHORTEST_LIFE, delivery.timeToLive(), "time to live"));
        }
        if (limited(delivery.autoDeleteOnIdle())) {
            request.setAutoDeleteOnIdle(delivery.autoDeleteOnIdle());
        }
        return request;
    }

    static Rule rule(SubscriptionRule rule) {
        CreateRuleOptions request = new CreateRuleOptions(filter(rule.filter()));
        SqlAction action = rule.action();
        if (action != null) {
            SqlRuleAction translated = new SqlRuleAction(action.expression());
            action.parameters().forEach(translated.getParameters()::put);
            request.setAction(translated);
        }
        return new Rule(rule.name(), request);
    }

    private static RuleFilter filter(dev.waybill.servicebus.embedded.filter.RuleFilter filter) {
        if (filter instanceof SqlFilter sql) {
            SqlRuleFilter translated = new SqlRuleFilter(sql.expression());
            sql.parameters().forEach(translated.getParameters()::put);
            return translated;
        }
        if (filter instanceof CorrelationFilter correlation) {
            return correlation(correlation);
        }
        return filter.equals(dev.waybill.servicebus.embedded.filter.RuleFilter.all())
                ? new TrueRuleFilter()
                : new FalseRuleFilter();
    }

    private static CorrelationRuleFilter correlation(CorrelationFilter filter) {
        Map<SystemProperty, String> conditions = filter.systemProperties();
        CorrelationRuleFilter translated = new CorrelationRuleFilter()
                .setCorrelationId(conditions.get(SystemProperty.CORRELATION_ID))
                .setMessageId(conditions.get(SystemProperty.MESSAGE_ID))
                .setTo(conditions.get(SystemProperty.TO))
                .setReplyTo(conditions.get(SystemProperty.REPLY_TO))
                .setLabel(conditions.get(SystemProperty.LABEL))
                .setSessionId(conditions.get(SystemProperty.SESSION_ID))
                .setReplyToSessionId(conditions.get(SystemProperty.REPLY_TO_SESSION_ID))
                .setContentType(conditions.get(SystemProperty.CONTENT_TYPE));
        filter.userProperties().forEach(translated.getProperties()::put);
        return translated;
    }

    private static boolean limited(Duration duration) {
        return duration.compareTo(QueueOptions.UNLIMITED) < 0;
    }

    private static Duration lock(QueueOptions options) {
        return atLeast(SHORTEST_LOCK, options.lockDuration(), "lock duration");
    }

    private static Duration idle(QueueOptions options) {
        return limited(options.autoDeleteOnIdle()) ? options.autoDeleteOnIdle() : LEFT_ALONE;
    }

    private static EntityStatus status(QueueOptions options) {
        return switch (options.status()) {
            case ACTIVE -> EntityStatus.ACTIVE;
            case DISABLED -> EntityStatus.DISABLED;
            case SEND_DISABLED -> EntityStatus.SEND_DISABLED;
            case RECEIVE_DISABLED -> EntityStatus.RECEIVE_DISABLED;
        };
    }

    private static int megabytes(QueueOptions options) {
        if (options.maxMessageBytes() != 0) {
            throw new NotApplicable("describes a largest message, which is chosen on Premium only and in KiB");
        }
        long size = options.maxSizeBytes() / MEGABYTE;
        if (size < SMALLEST) {
            throw new NotApplicable(
                    "describes an entity of " + options.maxSizeBytes() + " bytes; 1 GiB is the smallest");
        }
        return Math.toIntExact(size);
    }

    private static Duration atLeast(Duration shortest, Duration wanted, String setting) {
        if (wanted.compareTo(shortest) < 0) {
            throw new NotApplicable("describes a " + setting + " of " + wanted + "; the shortest is " + shortest);
        }
        return wanted;
    }
}
