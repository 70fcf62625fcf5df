package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A topic: an intake like a queue's, whose messages go to the subscriptions that select them. */
public final class Topic implements Onward {
    private final BrokerContext context;
    private final String path;
    private final Directory directory;
    private final MessageEntity intake;
    private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();

    Topic(BrokerContext context, String path, TopicOptions options, Directory directory) {
        this.context = context;
        this.path = path;
        this.directory = directory;
        this.intake = new MessageEntity(context, path, options.intake(), directory, this);
        options.subscriptions().forEach(this::add);
    }

    public String path() {
        return path;
    }

    public MessageEntity intake() {
        return intake;
    }

    public List<Subscription> subscriptions() {
        return List.copyOf(subscriptions.values());
    }

    public @Nullable Subscription subscription(String name) {
        return subscriptions.get(key(name));
    }

    void requireTargets() {
        for (Subscription subscription : subscriptions.values()) {
            MessageEntity messages = subscription.messages();
            ForwardingRules.check(messages.path(), messages.options(), directory);
        }
    }

    /** Throws if the name is taken, or the forwarding target is invalid. */
    public Subscription createSubscription(String name, SubscriptionOptions options) {
        ForwardingRules.check(path + "/Subscriptions/" + name, options.delivery(), directory);
        return add(name, options);
    }

    private Subscription add(String name, SubscriptionOptions options) {
        Names.requireName("subscription", name);
        if (subscriptions.containsKey(key(name))) {
            throw new Refused(
                    BrokerError.ENTITY_ALREADY_EXISTS, "Subscription '" + path + "/" + name + "' already exists.");
        }
        Subscription created = new Subscription(context, path, name, options, directory.alsoOf(path));
        subscriptions.put(key(name), created);
        created.messages().deleteWhenIdle(() -> deleteSubscription(name));
        created.messages().usage().whenUsed(intake::used);
        return created;
    }

    public void deleteSubscription(String name) {
        Subscription removed = subscriptions.remove(key(name));
        Refused gone = Refused.noSuchEntity(path + "/Subscriptions/" + name);
        if (removed == null) {
            throw gone;
        }
        removed.messages().close(gone);
        directory.changed(path);
    }

    @Override
    public void pass(Entry entry) {
        // Copied, because forwarding may return to this topic.
        for (Subscription subscription : List.copyOf(subscriptions.values())) {
            subscription.offer(entry);
        }
    }

    @Override
    public long bytesHeld() {
        long held = 0;
        for (Subscription subscription : subscriptions.values()) {
            held += subscription.messages().bytesHeld();
        }
        return held;
    }

    @Override
    public boolean inUse() {
        return subscriptions.values().stream()
                .anyMatch(subscription -> subscription.messages().inUse());
    }

    void close(Refused why) {
        subscriptions.values().forEach(subscription -> subscription.messages().close(why));
        subscriptions.clear();
        intake.close(why);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
