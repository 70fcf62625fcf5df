package dev.waybill.servicebus.embedded.mailbox;

/** A client that asks for something by a request instead of through a receiver. */
public interface Requester {
    /** Whether this receiver is the one in whose name it asks. */
    boolean receivesBy(Receiver receiver);

    /** The most bytes that it takes in one answer. */
    long largestAnswer();
}
