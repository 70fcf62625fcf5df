package dev.waybill.servicebus.embedded.mailbox;

/** A client that makes requests. */
public interface Requester {
    /** Whether the requests are on behalf of this receiver. */
    boolean receivesBy(Receiver receiver);

    /** The largest answer it accepts, in bytes. */
    long largestAnswer();
}
