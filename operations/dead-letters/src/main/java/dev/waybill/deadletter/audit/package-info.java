/**
 * The audit rows of what operators do to dead letters.
 *
 * <ol>
 *   <li>An action writes its row in its own transaction.
 *   <li>A row holds ids, states and names of fields, and digests in place of values: an erasure has nothing to remove from it.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter.audit;

import org.jspecify.annotations.NullMarked;
