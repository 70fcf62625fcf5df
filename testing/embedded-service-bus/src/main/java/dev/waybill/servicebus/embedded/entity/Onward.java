package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Entry;

/** Where an entity sends its messages instead of to receivers: a topic's subscriptions. */
interface Onward {
    void pass(Entry entry);

    /** Counts against the entity's capacity. */
    long bytesHeld();

    boolean inUse();
}
