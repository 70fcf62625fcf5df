package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts the messages of an entity by state. The counts of the namespace include deferred messages in active ones and may be
 * stale, so the counter also peeks.
 */
public final class MessageCounter {
    /** Enough messages to stop peeking. */
    private static final int MANY = 500;

    /** Peeked messages include their bodies. */
    private static final int PAGE = 50;

    /** Bounds the time; after this many pages, the counts of the namespace suffice. */
    private static final int PAGES = 100;

    private final Entities entities;
    private final Supplier<ServiceBusClientBuilder> connections;

    MessageCounter(Entities entities, Supplier<ServiceBusClientBuilder> connections) {
        this.entities = entities;
        this.connections = connections;
    }

    public Answer ofQueue(String queue) {
        entities.forget(queue);
        return answer(
                queue,
                entities.queue(queue),
                () -> connections.get().receiver().queueName(queue).buildClient());
    }

    public Answer ofSubscription(String topic, String name) {
        String path = EntityMapping.path(topic, name);
        entities.forget(path);
        return answer(
                path,
                entities.subscription(topic, name),
                () -> connections
                        .get()
                        .receiver()
                        .topicName(topic)
                        .subscriptionName(name)
                        .buildClient());
    }

    /** The scheduled messages of a topic. */
    public Answer ofTopic(String topic) {
        entities.forget(topic);
        EntityLookup lookup = entities.topic(topic);
        return new Answer(
                topic,
                lookup.facts()
                        .map(facts -> new Count(0, facts.state().messages().all(), 0, 0, 0)),
                why(lookup));
    }

    private static Answer answer(String path, EntityLookup lookup, Supplier<ServiceBusReceiverClient> receivers) {
        if (lookup.facts().isEmpty()) {
            return new Answer(path, Optional.empty(), why(lookup));
        }
        EntityProperties.Messages told = lookup.facts().get().state().messages();
        try (ServiceBusReceiverClient receiver = receivers.get()) {
            return new Answer(path, Optional.of(count(receiver, told)), Optional.empty());
        } catch (RuntimeException e) {
            return new Answer(
                    path,
                    Optional.empty(),
                    Optional.of("its messages cannot be looked at: " + Entities.rootMessage(e)));
        }
    }

    private static Count count(ServiceBusReceiverClient receiver, EntityProperties.Messages told) {
        Map<ServiceBusMessageState, Long> states = new EnumMap<>(ServiceBusMessageState.class);
        long next = 0;
        List<ServiceBusReceivedMessage> page =
                receiver.peekMessages(PAGE, next).stream().toList();
        for (int pages = 1;
                !page.isEmpty() && pages < PAGES && states.getOrDefault(ServiceBusMessageState.ACTIVE, 0L) < MANY;
                pages++) {
            page.forEach(message -> states.merge(message.getState(), 1L, Long::sum));
            next = page.get(page.size() - 1).getSequenceNumber() + 1;
            page = receiver.peekMessages(PAGE, next).stream().toList();
        }
        long deferred = states.getOrDefault(ServiceBusMessageState.DEFERRED, 0L);
        long active = Math.max(states.getOrDefault(ServiceBusMessageState.ACTIVE, 0L), told.active() - deferred);
        return new Count(
                active,
                states.getOrDefault(ServiceBusMessageState.SCHEDULED, 0L),
                deferred,
                told.deadLetters(),
                told.transferDeadLetters());
    }

    private static Optional<String> why(EntityLookup lookup) {
        return lookup.isMissing() ? Optional.of("the namespace has no such entity") : lookup.unknown();
    }

    /** The counts of an entity, or why they are unreadable. */
    public record Answer(String path, Optional<Count> count, Optional<String> unknown) {}

    /** The counts by state; {@code active} includes locked messages, and is a lower bound if there are many. */
    public record Count(long active, long scheduled, long deferred, long deadLetters, long transferDeadLetters) {
        public long all() {
            return active + scheduled + deferred + deadLetters + transferDeadLetters;
        }
    }
}
