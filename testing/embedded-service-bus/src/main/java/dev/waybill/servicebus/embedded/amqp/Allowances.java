package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.transaction.OpenTransactions;

/** Limits that all clients of the broker share. */
public record Allowances(Credits credits, OpenTransactions transactions) {}
