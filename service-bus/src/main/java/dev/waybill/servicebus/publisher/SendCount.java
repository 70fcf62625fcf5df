package dev.waybill.servicebus.publisher;

/**
 * The messages sent to a destination since the publisher was made, repeats included.
 *
 * @param sends calls of the broker, each with one batch
 * @param messages messages in them
 * @param accepted messages that the broker has accepted; one whose acknowledgement was lost counts each time it is
 *     accepted
 * @param bytes encoded size of the messages
 * @param operations what Service Bus bills for sending on Basic and Standard: one for each message and each 64 KiB
 *     of it begun (pricing page, "How is the Operations meter calculated for queues and topics?"). Receiving,
 *     settling and renewing locks are operations too, and not in here
 */
public record SendCount(long sends, long messages, long accepted, long bytes, long operations) {
    /**
     * Operations spent for each message that was accepted: 1 for small messages on a good day; 0 before the first.
     */
    public double operationsPerMessage() {
        return accepted == 0 ? 0 : (double) operations / accepted;
    }

    /** Messages in a send; 0 before the first. */
    public double messagesPerSend() {
        return sends == 0 ? 0 : (double) messages / sends;
    }
}
