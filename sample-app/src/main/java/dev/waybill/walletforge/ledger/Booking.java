package dev.waybill.walletforge.ledger;

/**
 * What the ledger is to book.
 *
 * @param txId the business key, once in the ledger
 * @param refund whether nothing may refuse it: the money was the wallet's before
 */
public record Booking(String txId, String walletId, Kind kind, long amountCents, boolean refund) {}
