package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.transaction.Work;

/** A request within a transaction: its immediate reply, and the work of the commit. */
public record Transacted(Reply reply, Work work) {}
