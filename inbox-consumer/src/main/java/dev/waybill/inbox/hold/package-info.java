/**
 * Handles messages of due holds.
 *
 * <ol>
 *   <li>While a hold exists, every message of its session joins it.
 *   <li>A message leaves its hold in the transaction of its effects.
 *   <li>An attempt that ended or was taken over changes nothing.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.hold;

import org.jspecify.annotations.NullMarked;
