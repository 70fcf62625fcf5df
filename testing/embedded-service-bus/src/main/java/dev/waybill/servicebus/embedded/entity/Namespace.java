package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All entities of a broker by path. Case does not matter. */
public final class Namespace implements Directory {
    private static final String DEAD_LETTERS = "/$deadletterqueue";
    private static final String TRANSFER = "/$transfer";
    private static final String SUBSCRIPTIONS = "/subscriptions/";

    private final BrokerContext context;
    private final Map<String, MessageEntity> queues = new TreeMap<>();
    private final Map<String, Topic> topics = new TreeMap<>();
    private final Map<String, Set<Runnable>> awaited = new HashMap<>();

    public Namespace(BrokerContext context) {
        this.context = context;
    }

    public BrokerContext context() {
        return context;
    }

    /** Throws if the name is taken, or the forwarding target is invalid. */
    public MessageEntity createQueue(String path, QueueOptions options) {
        ForwardingRules.check(path, options, this);
        return beginWithQueue(path, options);
    }

    /**
     * Creates a queue at the broker's start, without a check of its forwarding target: that may follow, or be missing, as after the
     * deletion of a target in Service Bus.
     */
    public MessageEntity beginWithQueue(String path, QueueOptions options) {
        Names.requirePath(path);
        requireFree(path);
        context.limits().requireWithinTier(path, options);
        MessageEntity queue = new MessageEntity(context, path, options, this, null);
        queues.put(key(path), queue);
        queue.deleteWhenIdle(() -> delete(path));
        changed(path);
        return queue;
    }

    /** Throws if the name is taken, or a forwarding target is invalid. */
    public Topic createTopic(String path, TopicOptions options) {
        Topic topic = beginWithTopic(path, options);
        try {
            topic.requireTargets();
        } catch (Refused why) {
            delete(path);
            throw why;
        }
        return topic;
    }

    /** Creates a topic at the broker's start, without a check of forwarding targets. */
    public Topic beginWithTopic(String path, TopicOptions options) {
        Names.requirePath(path);
        requireFree(path);
        if (context.limits().tier() == Tier.BASIC) {
            throw new Refused(BrokerError.NOT_ALLOWED, "The Basic tier has no topics: " + path);
        }
        Topic topic = new Topic(context, path, options, this);
        topics.put(key(path), topic);
        topic.intake().deleteWhenIdle(() -> delete(path));
        changed(path);
        return topic;
    }

    private void requireFree(String path) {
        if (queues.containsKey(key(path)) || topics.containsKey(key(path))) {
            throw new Refused(BrokerError.ENTITY_ALREADY_EXISTS, "Entity '" + path + "' already exists.");
        }
    }

    public void delete(String path) {
        Refused gone = Refused.noSuchEntity(path);
        MessageEntity queue = queues.remove(key(path));
        Topic topic = topics.remove(key(path));
        if (queue != null) {
            queue.close(gone);
        } else if (topic != null) {
            topic.close(gone);
        } else {
            throw gone;
        }
    }

    public @Nullable MessageEntity queue(String path) {
        return queues.get(key(path));
    }

    public @Nullable Topic topic(String path) {
        return topics.get(key(path));
    }

    /** Null unless the path has the form {@code topic/Subscriptions/name} and the subscription exists. */
    public @Nullable Subscription subscription(String path) {
        String key = key(path);
        int at = key.indexOf(SUBSCRIPTIONS);
        Topic topic = at < 0 ? null : topics.get(key.substring(0, at));
        return topic == null ? null : topic.subscription(key.substring(at + SUBSCRIPTIONS.length()));
    }

    public List<MessageEntity> queues() {
        return List.copyOf(queues.values());
    }

    public List<Topic> topics() {
        return List.copyOf(topics.values());
    }

    @Override
    public @Nullable MessageEntity intake(String path) {
        String key = key(path);
        Topic topic = topics.get(key);
        return topic == null ? queues.get(key) : topic.intake();
    }

    @Override
    public void whenChanged(String path, Runnable again) {
        awaited.computeIfAbsent(key(path), any -> new LinkedHashSet<>()).add(again);
    }

    @Override
    public void changed(String path) {
        Set<Runnable> now = awaited.isEmpty() ? null : awaited.remove(key(path));
        if (now != null) {
            now.forEach(context.loop()::later);
        }
    }

    public Destination destination(String path) {
        MessageEntity intake = intake(path);
        if (intake == null) {
            throw Refused.noSuchEntity(path);
        }
        return intake;
    }

    public @Nullable MessageEntity entity(String path) {
        MessageEntity queue = queues.get(key(path));
        if (queue != null) {
            return queue;
        }
        Subscription subscription = subscription(path);
        return subscription == null ? null : subscription.messages();
    }

    /** A queue, subscription or sub-queue; throws if there is none. */
    public Mailbox mailbox(String path) {
        String key = key(path);
        MessageEntity entity = entity(ownerOf(path));
        if (entity == null) {
            throw Refused.noSuchEntity(path);
        }
        if (!key.endsWith(DEAD_LETTERS)) {
            return entity.main();
        }
        return key.endsWith(TRANSFER + DEAD_LETTERS) ? entity.transferDeadLetters() : entity.deadLetters();
    }

    /** The entity of a path, which may lead to a sub-queue. */
    public static String ownerOf(String path) {
        String key = key(path);
        String rest = without(DEAD_LETTERS, key);
        return rest.equals(key) ? key : without(TRANSFER, rest);
    }

    private static String without(String suffix, String key) {
        return key.endsWith(suffix) ? key.substring(0, key.length() - suffix.length()) : key;
    }

    /** The messages of a management node: as {@link #mailbox}, or a topic's scheduled messages. */
    public Mailbox managed(String path) {
        Topic topic = topics.get(key(path));
        return topic == null ? mailbox(path) : topic.intake().main();
    }

    private static String key(String path) {
        String trimmed = path.startsWith("/") ? path.substring(1) : path;
        return trimmed.toLowerCase(Locale.ROOT);
    }
}
