package dev.waybill.walletforge.proof;

/**
 * What the checker cannot see for itself.
 *
 * @param transactions distinct payments that the input holds
 * @param resends lines of the input that repeat one
 * @param relayRestarts how often a relay was stopped without warning and another one started
 * @param restartsDue how often it should have been
 * @param seconds from the first payment to the last balance
 */
public record RunFacts(long transactions, long resends, int relayRestarts, int restartsDue, double seconds) {}
