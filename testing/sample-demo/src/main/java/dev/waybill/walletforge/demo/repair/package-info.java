/**
 * The dead-letter desk: payments that the ledger could not read come home, a rule repairs some of them, an operator's edit
 * repairs another, and all are brought back in the order of their wallets; what is done with them is archived for six weeks.
 *
 * <p>The payments that are spoiled are each the last ones of their wallet: an order across a message that was left out is
 * nothing that anybody could promise.
 */
@NullMarked
package dev.waybill.walletforge.demo.repair;

import org.jspecify.annotations.NullMarked;
