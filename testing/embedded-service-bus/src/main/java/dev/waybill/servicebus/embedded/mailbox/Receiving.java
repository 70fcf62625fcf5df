package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;

/** Attaches receivers to a mailbox and detaches them. */
public final class Receiving {
    private Receiving() {}

    /** Throws {@code Refused} if the entity forwards what this mailbox would hold. */
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

    /** Starts deliveries; throws if a session must be accepted first. */
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

    /** Ends deliveries. Messages stay locked until their locks end. */
    public static void detach(Mailbox mailbox, Receiver receiver) {
        mailbox.plain().detach(receiver);
        mailbox.used();
    }

    /** Requests a session, which may be granted now or later, or refused now. */
    public static void request(Mailbox mailbox, SessionRequest request) {
        checkEnabled(mailbox);
        if (!mailbox.hasSessions()) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "A sessionful message receiver cannot be created on an entity that does not require sessions.");
        }
        mailbox.sessions().request(request);
    }

    public static void withdraw(Mailbox mailbox, SessionRequest request) {
        mailbox.sessions().withdraw(request);
    }

    public static void release(Mailbox mailbox, Session session, Receiver receiver) {
        mailbox.sessions().release(session, receiver);
        mailbox.used();
    }

    public static void wake(Mailbox mailbox, Session session) {
        mailbox.sessions().stir(session);
        mailbox.wake();
    }

    /** The lock's end in broker time. */
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
