/**
 * The verbs about held messages: {@code outbox} for messages that the broker rejected, {@code inbox held} for messages
 * that a handler failed to process.
 * Both groups share their verbs; only the side of the hold differs.
 */
@NullMarked
package dev.waybill.standalone.cli.hold;

import org.jspecify.annotations.NullMarked;
