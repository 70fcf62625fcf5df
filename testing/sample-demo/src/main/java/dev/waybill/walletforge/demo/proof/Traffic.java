package dev.waybill.walletforge.demo.proof;

/**
 * The numbers of messages that went through.
 *
 * @param transactions distinct payments that were taken in
 * @param resends repeated lines of the input
 * @param published distinct messages that the broker stored
 * @param delivered deliveries to the consumer
 * @param duplicatesDelivered deliveries beyond a message's first
 */
public record Traffic(long transactions, long resends, long published, long delivered, long duplicatesDelivered) {}
