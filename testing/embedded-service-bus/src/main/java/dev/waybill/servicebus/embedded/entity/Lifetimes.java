package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.message.BrokerMessage;

/** Expiry of messages: by their own time to live or the entity's, whichever ends first. */
final class Lifetimes {
    private final MessageEntity entity;
    private final BrokerClock clock;

    Lifetimes(MessageEntity entity, BrokerClock clock) {
        this.entity = entity;
        this.clock = clock;
    }

    long endOf(BrokerMessage message) {
        long entityEnd = entityEnd();
        Long own = message.timeToLiveMillis();
        return own == null ? entityEnd : Math.min(entityEnd, clock.now() + own);
    }

    /** A dead letter expires by this entity's rules alone. */
    long endOf(Entry from) {
        return from.outlived ? entityEnd() : Math.min(from.expiresAt, endOf(from.message()));
    }

    private long entityEnd() {
        return clock.after(entity.options().timeToLive());
    }
}
