package dev.waybill.servicebus.embedded.fault;

import java.time.Duration;

/** The action of a fault. Immutable; one action may serve many rules. */
public sealed interface FaultAction {
    /** Cuts the client's connection without a closing word, as a failing network does. */
    static FaultAction dropConnection() {
        return new DropConnection();
    }

    /** Closes the client's connection with an error. */
    static FaultAction closeConnection(BrokerError error) {
        return new CloseConnection(error);
    }

    /** Goes on after this long, in real time; whatever other work there is goes on meanwhile. */
    static FaultAction delay(Duration duration) {
        return new Delay(duration);
    }

    /** Goes no further and says nothing: the client waits for an answer that never comes. */
    static FaultAction swallow() {
        return new Swallow();
    }

    /** Refuses the operation with an error. After the effect has happened, only the answer is false. */
    static FaultAction reject(BrokerError error) {
        return new Reject(error);
    }

    /** Closes the link the operation came by, with an error. */
    static FaultAction detach(BrokerError error) {
        return new Detach(error);
    }

    /**
     * Delivers a message twice: once settled, it comes again, in its old place and with a higher delivery count.
     * For {@link FaultPoint#BEFORE_DELIVER} and {@link FaultPoint#DELIVERED}.
     */
    static FaultAction deliverTwice() {
        return new DeliverTwice();
    }

    /**
     * Takes the lock away: of the message, or of its session when it has one. For {@link FaultPoint#DELIVERED} and
     * {@link FaultPoint#BEFORE_SETTLE}; the settlement then fails and the message comes again.
     */
    static FaultAction expireLock() {
        return new ExpireLock();
    }

    /**
     * Answers as if the operation had been done, and does not do it. A settlement so lost comes again when its
     * lock ends. For {@link FaultPoint#BEFORE_SETTLE} and {@link FaultPoint#BEFORE_STORE}.
     */
    static FaultAction pretend() {
        return new Pretend();
    }

    /** Goes on, but reads nothing more from the client's connection for this long, in real time. */
    static FaultAction stallReads(Duration duration) {
        return new StallReads(duration);
    }

    /** Attaches a sender and never lets it send. For {@link FaultPoint#ATTACH}. */
    static FaultAction withholdCredit() {
        return new WithholdCredit();
    }

    /** Changes nothing: to observe, or to be told that a point was reached. */
    static FaultAction observe() {
        return new Observe();
    }

    /** See {@link #dropConnection()}. */
    record DropConnection() implements FaultAction {}

    /** See {@link #closeConnection(BrokerError)}. */
    record CloseConnection(BrokerError error) implements FaultAction {}

    /** See {@link #delay(Duration)}. */
    record Delay(Duration duration) implements FaultAction {}

    /** See {@link #swallow()}. */
    record Swallow() implements FaultAction {}

    /** See {@link #reject(BrokerError)}. */
    record Reject(BrokerError error) implements FaultAction {}

    /** See {@link #detach(BrokerError)}. */
    record Detach(BrokerError error) implements FaultAction {}

    /** See {@link #deliverTwice()}. */
    record DeliverTwice() implements FaultAction {}

    /** See {@link #expireLock()}. */
    record ExpireLock() implements FaultAction {}

    /** See {@link #pretend()}. */
    record Pretend() implements FaultAction {}

    /** See {@link #stallReads(Duration)}. */
    record StallReads(Duration duration) implements FaultAction {}

    /** See {@link #withholdCredit()}. */
    record WithholdCredit() implements FaultAction {}

    /** See {@link #observe()}. */
    record Observe() implements FaultAction {}
}
