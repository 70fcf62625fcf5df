package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.transaction.Work;

/**
 * A request that is part of a transaction.
 *
 * @param reply what the client is told now
 * @param work what the commit will do
 */
public record Transacted(Reply reply, Work work) {}
