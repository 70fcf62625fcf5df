/**
 * Keeps deferred messages, which wait on the broker or in holds until their keys are resumed.
 *
 * <ol>
 *   <li><b>The sequence number is stored before the broker defers the message.</b> Only the number finds it there.
 *   <li><b>A deferral and a concurrent resumption are matched.</b> The deferral looks for resumptions after its commit; the resumption
 *       is matched with deferrals after its own.
 *   <li><b>The owner of the session fetches resumed messages</b>, in the session's order.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.defer;

import org.jspecify.annotations.NullMarked;
