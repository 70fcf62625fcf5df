package dev.waybill.servicebus.embedded.entity;

/** A client that asks for something by a request instead of through a receiver. */
@FunctionalInterface
public interface Requester {
    /** Whether this receiver is the one in whose name it asks. */
    boolean receivesBy(Receiver receiver);
}
