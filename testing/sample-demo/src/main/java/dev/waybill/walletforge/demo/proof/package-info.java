/**
 * Judges a run. Shares no code with intake, relay or ledger: it reads the tables by plain SQL, asks a {@link
 * dev.waybill.walletforge.demo.proof.BrokerObserver} what the broker saw, and recomputes every balance by going through the
 * payments one after the other.
 */
@NullMarked
package dev.waybill.walletforge.demo.proof;

import org.jspecify.annotations.NullMarked;
