package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;

/** How receivers come to a mailbox and leave it. */
public final class Receiving {
    private Receiving() {}

    /**
     * Refuses where messages are passed on instead of waiting for receivers.
     *
     * @throws Refused if the entity forwards what this mailbox would hold
     */
    public static void requireReceivable(Mailbox mailbox) {
        String onto = switch (mailbox.kind()) {
            case MAIN -> mailbox.options().forwardTo();
            case DEAD_LETTERS -> mailbox.options().forwardDeadLettersTo();
            case TRANSFER_DEAD_LETTERS -> null;
        };
        if (onto != null) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "Cannot create a message receiver on an entity with auto-forwarding enabled.");
        }
    }

    /** Begins deliveries to a receiver; refuses where a session must be accepted first. */
    public static void attach(Mailbox mailbox, Receiver receiver) {
        checkEnabled(mailbox);
        if (mailbox.hasSessions()) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "It is not possible for an entity that requires sessions to create a non-sessionful message"
                            + " receiver.");
        }
        mailbox.plain().attach(receiver);
    }

    /** Ends deliveries. Messages that the receiver has locked stay locked until their time. */
    public static void detach(Mailbox mailbox, Receiver receiver) {
        mailbox.plain().detach(receiver);
        mailbox.used();
    }

    /** Asks for a session, which may be granted at once, later, or refused at once. */
    public static void request(Mailbox mailbox, SessionRequest request) {
        checkEnabled(mailbox);
        if (!mailbox.hasSessions()) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "A sessionful message receiver cannot be created on an entity that does not require sessions.");
        }
        mailbox.sessions().request(request);
    }

    /** Takes back a request that is not granted. */
    public static void withdraw(Mailbox mailbox, SessionRequest request) {
        mailbox.sessions().withdraw(request);
    }

    /** Gives a session up. */
    public static void release(Mailbox mailbox, Session session, Receiver receiver) {
        mailbox.sessions().release(session, receiver);
        mailbox.used();
    }

    /** The receiver of a session can take more. */
    public static void wake(Mailbox mailbox, Session session) {
        mailbox.sessions().stir(session);
        mailbox.wake();
    }

    /** When the session's lock ends, on the broker's time line. */
    public static long lockedUntil(Session session) {
        return session.lockedUntil;
    }

    private static void checkEnabled(Mailbox mailbox) {
        if (!mailbox.options().status().receives()) {
            throw new Refused(
                    BrokerError.ENTITY_DISABLED,
                    "Messaging entity '" + mailbox.path() + "' is currently disabled for receiving.");
        }
    }
}
