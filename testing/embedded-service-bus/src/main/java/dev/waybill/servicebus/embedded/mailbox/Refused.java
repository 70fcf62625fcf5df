package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;

/** The broker's no to a client, with the condition that tells the client why. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final BrokerError error;

    public Refused(BrokerError error, String description) {
        // A refusal is an answer and no accident: nobody reads where it was raised, and senders may cause many.
        super(description, null, false, false);
        this.error = error;
    }

    public BrokerError error() {
        return error;
    }

    public String description() {
        return String.valueOf(getMessage());
    }

    /** The answer to clients about an entity that is not there. */
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
