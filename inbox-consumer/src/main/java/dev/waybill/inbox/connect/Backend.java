package dev.waybill.inbox.connect;

/**
 * The server's side of a transaction.
 *
 * @param pid of the server process
 * @param since when the transaction began, which tells it from the next one by the same process
 */
public record Backend(int pid, String since) {}
