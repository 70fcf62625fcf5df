package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Partitions;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.time.Duration;

/** Tells which messages an entity has had before, by their ids, if it looks for duplicates. */
final class Duplicates {
    private final MessageEntity entity;
    private final BrokerClock clock;
    private final DuplicateHistory history = new DuplicateHistory();

    Duplicates(MessageEntity entity, BrokerClock clock) {
        this.entity = entity;
        this.clock = clock;
    }

    /** Whether the message is a duplicate; from now on its id has been seen. */
    boolean seenBefore(BrokerMessage message) {
        Duration window = entity.options().duplicateWindow();
        String id = message.messageId();
        return window != null && id != null && history.seenBefore(identity(message, id), window, clock.now());
    }

    /** Whether the message would be a duplicate now. */
    boolean known(BrokerMessage message) {
        String id = message.messageId();
        return entity.options().duplicateWindow() != null
                && id != null
                && history.knows(identity(message, id), clock.now());
    }

    /** The text that a duplicate repeats: on a partitioned entity, with its partition's key. */
    private String identity(BrokerMessage message, String id) {
        String key = entity.options().partitioned() ? Partitions.keyOf(message) : null;
        return key == null ? id : id + '\n' + key;
    }
}
