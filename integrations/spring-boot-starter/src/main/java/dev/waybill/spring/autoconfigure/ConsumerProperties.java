package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.OutsideWork;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A consumer.
 *
 * @param enabled whether this process runs it
 * @param queue the queue that it receives from
 * @param topic the topic, for a subscription
 * @param subscription the subscription that it receives from
 * @param sessions whether the queue or subscription requires sessions
 * @param lockDuration how long the broker locks a message or session, as the entity is configured
 * @param maxDeliveryCount after how many deliveries the broker itself dead-letters, as the entity is configured
 * @param concurrency sessions, or messages without sessions, handled side by side; each takes a connection of the
 *     pool
 * @param handlerTimeout how long a handler may take before it is interrupted
 * @param lockTimeout how long a statement of a handler waits for a lock; half the lock duration unless given
 * @param batch how many messages of a session are handled in one transaction
 * @param readAhead how many messages of a session are fetched while those before are handled
 * @param sessionIdle how long a session without messages is kept
 * @param onFailure what happens to a failed message and its session
 * @param outsideWork what becomes of a message whose handler has worked outside its transaction
 * @param transactions whose transactions handlers run in
 * @param drain how long a stop waits for messages under way
 */
public record ConsumerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String queue,
        @Nullable String topic,
        @Nullable String subscription,
        @DefaultValue("false") boolean sessions,
        @DefaultValue("1m") Duration lockDuration,
        @DefaultValue("10") int maxDeliveryCount,
        @DefaultValue("4") int concurrency,
        @DefaultValue("5m") Duration handlerTimeout,
        @Nullable Duration lockTimeout,
        @DefaultValue("1") int batch,
        @DefaultValue("10") int readAhead,
        @DefaultValue("1s") Duration sessionIdle,
        @DefaultValue("dead-letter") OnFailure onFailure,
        @DefaultValue("refuse") OutsideWork outsideWork,
        @DefaultValue("spring") Transactions transactions,
        @DefaultValue("20s") Duration drain) {
    /** Refuses a consumer of nothing, and one of two things. */
    public ConsumerProperties {
        queue = Requirement.given(queue);
        topic = Requirement.given(topic);
        subscription = Requirement.given(subscription);
        boolean subscribed = topic != null && subscription != null;
        Requirement.that(
                (queue != null) != subscribed && (topic == null) == (subscription == null),
                "A consumer in waybill.consumers receives from a queue, or from a topic and a subscription");
        Requirement.that(
                queue == null || !HandlerMethods.AZURES_PATH.matcher(queue).matches(),
                "The queue '" + queue + "' in waybill.consumers is the path of a subscription; give topic and"
                        + " subscription instead");
        Requirement.that(
                handlerTimeout.compareTo(Duration.ofSeconds(1)) >= 0,
                "The handler-timeout of a consumer is at least 1s, not " + handlerTimeout + DestinationProperties.UNIT);
        Requirement.that(
                lockDuration.compareTo(Duration.ofSeconds(1)) >= 0,
                "The lock-duration of a consumer is at least 1s, not " + lockDuration + DestinationProperties.UNIT);
        Requirement.that(concurrency > 0, "The concurrency of a consumer is at least 1, not " + concurrency);
    }

    /** The name by which handlers refer to it. */
    String destination() {
        return queue != null ? queue : topic + "/" + subscription;
    }

    /** The transactions that handlers run in. */
    public enum Transactions {
        /** Spring's, which services and repositories take part in. */
        SPRING,
        /**
         * The consumer's own, which are faster, and in which services with {@code @Transactional} do not take
         * part.
         */
        OWN
    }
}
