package dev.waybill.servicebus.embedded.mailbox;

import org.jspecify.annotations.Nullable;

/** A receiver's request for a session. */
public interface SessionRequest {
    /** Null for the next available session. */
    @Nullable String sessionId();

    void granted(Session session);

    Receiver receiver();
}
