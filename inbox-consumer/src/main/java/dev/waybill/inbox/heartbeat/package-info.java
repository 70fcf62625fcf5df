/**
 * Finds messages that end processes.
 *
 * <p>Each process of a consumer records heartbeats. Only while one is missing, or a message is delivered again, does the consumer
 * count how often the handling of a message has begun without an end.
 */
@NullMarked
package dev.waybill.inbox.heartbeat;

import org.jspecify.annotations.NullMarked;
