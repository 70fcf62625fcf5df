package dev.waybill.servicebus.publisher;

/**
 * Counts of messages to a destination since the publisher was created, including repeats.
 *
 * @param sends sends, of one batch each
 * @param accepted messages that the broker has accepted; after a lost acknowledgement a message counts again
 * @param bytes encoded size of the messages
 * @param operations billed operations for sending on Basic and Standard: one for each message and each started 64 KiB of it
 * (pricing page, "How is the Operations meter calculated for queues and topics?"); without receiving, settling and renewing
 * locks
 */
public record SendCount(long sends, long messages, long accepted, long bytes, long operations) {
    /** Operations for each accepted message, at best 1 for small messages; 0 before the first. */
    public double operationsPerMessage() {
        return accepted == 0 ? 0 : (double) operations / accepted;
    }

    /** Messages in a send; 0 before the first. */
    public double messagesPerSend() {
        return sends == 0 ? 0 : (double) messages / sends;
    }
}
