package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;

/** The broker's refusal, with the error condition for the client. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final BrokerError error;

    public Refused(BrokerError error, String description) {
        // No stack trace: a refusal is an answer, and clients may cause many.
        super(description, null, false, false);
        this.error = error;
    }

    public BrokerError error() {
        return error;
    }

    public String description() {
        return String.valueOf(getMessage());
    }

    public static Refused noSuchEntity(String path) {
        return new Refused(
                BrokerError.NOT_FOUND, "The messaging entity 'sb://localhost/" + path + "' could not be found.");
    }

    static Refused lockLost() {
        return new Refused(
                BrokerError.MESSAGE_LOCK_LOST,
                "The lock supplied is invalid. Either the lock expired, or the message has already been removed.");
    }

    static Refused sessionLost() {
        return new Refused(
                BrokerError.SESSION_LOCK_LOST, "The session lock has expired on the session. Accept it again.");
    }
}
