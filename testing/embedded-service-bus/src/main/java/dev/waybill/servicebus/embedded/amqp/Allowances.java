package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.transaction.OpenTransactions;

/**
 * How much of the broker all clients together may use.
 *
 * @param credits what they may do in a second
 * @param transactions what they may leave open
 */
public record Allowances(Credits credits, OpenTransactions transactions) {}
