/**
 * The ledger: balances, and one entry for each booking. {@link Ledger} is called in the handler's transaction, in the session
 * of the wallet; whatever it decides is told to the topic {@code wallet-events} in the same transaction.
 */
@NullMarked
package dev.waybill.walletforge.ledger;

import org.jspecify.annotations.NullMarked;
