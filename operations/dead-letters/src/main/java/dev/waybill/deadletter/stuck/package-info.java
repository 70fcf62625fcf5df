/**
 * One view of all messages that wait for an operator: dead letters, and messages held in outbox and inbox.
 *
 * <p>Begin with {@link dev.waybill.deadletter.stuck.StuckMessages}.
 */
@NullMarked
package dev.waybill.deadletter.stuck;

import org.jspecify.annotations.NullMarked;
