/** Applies payments to balances. Knows nothing of queues: the inbox sees to order and to exactly once. */
@NullMarked
package dev.waybill.walletforge.ledger;

import org.jspecify.annotations.NullMarked;
