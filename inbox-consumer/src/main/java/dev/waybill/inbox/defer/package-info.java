/**
 * Deferred messages, which wait on the broker or in holds until their keys are resumed.
 *
 * <ol>
 *   <li><b>The number is stored before the broker defers the message.</b> Nothing else finds it there.
 *   <li><b>A deferral and a resumption that do not see each other are brought together.</b> The deferral looks for resumptions after
 *       its commit; the resumption is matched with deferrals after its own.
 *   <li><b>The owner of the session fetches what is resumed</b>, in the order of the session.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.defer;

import org.jspecify.annotations.NullMarked;
