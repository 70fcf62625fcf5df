package dev.waybill.servicebus.embedded.mailbox;

import org.jspecify.annotations.Nullable;

/** A receiver that wants a session: a named one, or the next that has messages and no receiver. */
public interface SessionRequest {
    /** The session asked for, or null for the next available. */
    @Nullable String sessionId();

    /** The session is the receiver's; deliveries follow. */
    void granted(Session session);

    Receiver receiver();
}
