/**
 * Takes payments in: the payment's row and its message in one transaction, a resend without any effect.
 *
 * <p>Several writers work at once. A wallet's payments all go to one writer, so they are stored in the order of the input.
 * A repeated {@code tx_id} goes to the writer of its first occurrence, whatever wallet it names, so that the first
 * occurrence wins however the writers race.
 */
@NullMarked
package dev.waybill.walletforge.demo.intake;

import org.jspecify.annotations.NullMarked;
