package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All entities of a broker, by path. Case does not matter in paths. */
public final class Namespace {
    private static final String DEAD_LETTERS = "/$deadletterqueue";
    private static final String TRANSFER = "/$transfer";

    private final BrokerContext context;
    private final Map<String, MessageEntity> queues = new LinkedHashMap<>();

    public Namespace(BrokerContext context) {
        this.context = context;
    }

    public BrokerContext context() {
        return context;
    }

    /** Creates a queue; refuses if there is an entity of that name. */
    public MessageEntity createQueue(String path, QueueOptions options) {
        MessageEntity queue = new MessageEntity(context, path, options);
        if (queues.putIfAbsent(key(path), queue) != null) {
            throw new Refused(BrokerError.ENTITY_ALREADY_EXISTS, "Entity '" + path + "' already exists.");
        }
        return queue;
    }

    public @Nullable MessageEntity queue(String path) {
        return queues.get(key(path));
    }

    public Collection<MessageEntity> queues() {
        return queues.values();
    }

    /** The queue or topic of that path; refuses if there is none. */
    public Destination destination(String path) {
        MessageEntity queue = queues.get(key(path));
        if (queue == null) {
            throw Refused.noSuchEntity(path);
        }
        return queue;
    }

    /** The queue, subscription or sub-queue of that path; refuses if there is none. */
    public Mailbox mailbox(String path) {
        String key = key(path);
        boolean dead = key.endsWith(DEAD_LETTERS);
        String rest = dead ? key.substring(0, key.length() - DEAD_LETTERS.length()) : key;
        boolean transfer = dead && rest.endsWith(TRANSFER);
        rest = transfer ? rest.substring(0, rest.length() - TRANSFER.length()) : rest;
        MessageEntity entity = entity(rest);
        if (entity == null) {
            throw Refused.noSuchEntity(path);
        }
        if (!dead) {
            return entity.main();
        }
        return transfer ? entity.transferDeadLetters() : entity.deadLetters();
    }

    /** The queue or subscription of that path, or null. */
    public @Nullable MessageEntity entity(String path) {
        return queues.get(key(path));
    }

    private static String key(String path) {
        String trimmed = path.startsWith("/") ? path.substring(1) : path;
        return trimmed.toLowerCase(Locale.ROOT);
    }
}
