package dev.waybill.walletforge.payment;

/**
 * One line of the input.
 *
 * @param position place in the input, from 0
 * @param txId the client's key; a second payment with it is a resend
 * @param amountCents not negative
 */
public record Payment(long position, String txId, String walletId, Kind kind, long amountCents) {}
