/**
 * WalletForge, the service to copy from. The API stores a request and its message in one transaction; the relay publishes to
 * {@code wallet-tx}, with the wallet as session; the ledger books, in order and once; each entry goes to {@code wallet-events}.
 */
@NullMarked
package dev.waybill.walletforge;

import org.jspecify.annotations.NullMarked;
