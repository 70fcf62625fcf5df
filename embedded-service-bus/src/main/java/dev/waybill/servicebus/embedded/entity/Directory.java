package dev.waybill.servicebus.embedded.entity;

import org.jspecify.annotations.Nullable;

/** Finds the entities that messages are forwarded to. */
interface Directory {
    /** The queue, or a topic's intake, or null. */
    @Nullable MessageEntity intake(String path);
}
