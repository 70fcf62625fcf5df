package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Entry;

/** Where an entity's messages go instead of being kept for receivers: a topic's to its subscriptions. */
interface Onward {
    /** Takes a message that the entity has accepted and does not hold. */
    void pass(Entry entry);

    /** How much room everything takes up there, which counts against the entity's size. */
    long bytesHeld();

    /** Whether anybody uses what its messages go on to. */
    boolean inUse();
}
