/**
 * Finds messages that end processes. Each process of a consumer records heartbeats. While one is missing, or when a message is
 * redelivered, the consumer counts starts of handling without an end.
 */
@NullMarked
package dev.waybill.inbox.heartbeat;

import org.jspecify.annotations.NullMarked;
