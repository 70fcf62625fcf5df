/**
 * WalletForge, the reference application: wallet payments with running balances.
 *
 * <p>A payment and its message are stored in one transaction; the relay publishes to {@code wallet-tx} with the wallet as
 * session; the ledger consumer applies each payment in order, exactly once; and a checker that shares no code with any of
 * them proves it from the tables and from what the broker saw. This package is the command line.
 */
@NullMarked
package dev.waybill.walletforge.demo;

import org.jspecify.annotations.NullMarked;
