package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Partitions;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.time.Duration;

/** Detects duplicates by message id, if the entity has detection. */
final class Duplicates {
    private final MessageEntity entity;
    private final BrokerClock clock;
    private final DuplicateHistory history = new DuplicateHistory();

    Duplicates(MessageEntity entity, BrokerClock clock) {
        this.entity = entity;
        this.clock = clock;
    }

    boolean seenBefore(BrokerMessage message) {
        Duration window = entity.options().duplicateWindow();
        String id = message.messageId();
        return window != null && id != null && history.seenBefore(identity(message, id), window, clock.now());
    }

    /** Checks without recording the id. */
    boolean known(BrokerMessage message) {
        String id = message.messageId();
        return entity.options().duplicateWindow() != null
                && id != null
                && history.knows(identity(message, id), clock.now());
    }

    /** On a partitioned entity, the partition key is part of the identity. */
    private String identity(BrokerMessage message, String id) {
        String key = entity.options().partitioned() ? Partitions.keyOf(message) : null;
        return key == null ? id : id + '\n' + key;
    }
}
