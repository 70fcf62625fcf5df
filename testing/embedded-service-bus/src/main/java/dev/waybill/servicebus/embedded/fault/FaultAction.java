package dev.waybill.servicebus.embedded.fault;

import java.time.Duration;

/** What a fault does. Immutable; one action may serve several rules. */
public sealed interface FaultAction {
    /** Cuts the client's connection, as a failing network does. */
    static FaultAction dropConnection() {
        return new DropConnection();
    }

    /** Closes the client's connection with an error. */
    static FaultAction closeConnection(BrokerError error) {
        return new CloseConnection(error);
    }

    /** Delays the operation, in real time. Other work continues. */
    static FaultAction delay(Duration duration) {
        return new Delay(duration);
    }

    /** Stops the operation without an answer; the client waits. */
    static FaultAction swallow() {
        return new Swallow();
    }

    /** Rejects the operation with an error. At a point after the effect, only the answer is wrong. */
    static FaultAction reject(BrokerError error) {
        return new Reject(error);
    }

    /** Closes the operation's link with an error. */
    static FaultAction detach(BrokerError error) {
        return new Detach(error);
    }

    /**
     * Delivers a message twice: after its settlement it returns to its place, with a higher delivery count. For {@link
     * FaultPoint#BEFORE_DELIVER} and {@link FaultPoint#DELIVERED}.
     */
    static FaultAction deliverTwice() {
        return new DeliverTwice();
    }

    /**
     * Ends the lock of the message, or of its session. The settlement then fails, and the message comes again. For {@link
     * FaultPoint#DELIVERED} and {@link FaultPoint#BEFORE_SETTLE}.
     */
    static FaultAction expireLock() {
        return new ExpireLock();
    }

    /**
     * Reports success without doing the operation. A message so settled comes again when its lock ends. For {@link
     * FaultPoint#BEFORE_SETTLE} and {@link FaultPoint#BEFORE_STORE}.
     */
    static FaultAction pretend() {
        return new Pretend();
    }

    /** Continues, but reads nothing from the client's connection for this time, in real time. */
    static FaultAction stallReads(Duration duration) {
        return new StallReads(duration);
    }

    /** Attaches a sender but never grants credit. For {@link FaultPoint#ATTACH}. */
    static FaultAction withholdCredit() {
        return new WithholdCredit();
    }

    /** Changes nothing: counts hits, and notifies {@link FaultRule#onHit}. */
    static FaultAction observe() {
        return new Observe();
    }

    record DropConnection() implements FaultAction {}

    record CloseConnection(BrokerError error) implements FaultAction {}

    record Delay(Duration duration) implements FaultAction {}

    record Swallow() implements FaultAction {}

    record Reject(BrokerError error) implements FaultAction {}

    record Detach(BrokerError error) implements FaultAction {}

    record DeliverTwice() implements FaultAction {}

    record ExpireLock() implements FaultAction {}

    record Pretend() implements FaultAction {}

    record StallReads(Duration duration) implements FaultAction {}

    record WithholdCredit() implements FaultAction {}

    record Observe() implements FaultAction {}
}
