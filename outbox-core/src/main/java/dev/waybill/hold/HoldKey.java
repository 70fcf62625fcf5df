package dev.waybill.hold;

import org.jspecify.annotations.Nullable;

/**
 * The session, or the one message, that is held.
 *
 * @param scope the destination or the consumer
 * @param session the held session, or the session of the held message; null for a message without one
 * @param message the logical id of the held message; null if the whole session is held
 */
public record HoldKey(
        HoldSide side,
        String scope,
        @Nullable String session,
        @Nullable String message) {
    /** Refuses a key that names nothing. */
    public HoldKey {
        if (session == null && message == null) {
            throw new IllegalArgumentException("A hold is of a session or of a message");
        }
    }

    /** A session, with whatever it will send. */
    public static HoldKey session(HoldSide side, String scope, String session) {
        return new HoldKey(side, scope, session, null);
    }

    /** A message alone, by its logical id. */
    public static HoldKey message(HoldSide side, String scope, @Nullable String session, String message) {
        return new HoldKey(side, scope, session, message);
    }

    /** As the database writes it: unambiguous inside side and scope, whatever the names are. */
    public String text() {
        String first = session == null ? "-" : session.codePointCount(0, session.length()) + ":" + session;
        return message == null ? first : first + "/" + message;
    }

    @Override
    public String toString() {
        return (message == null ? "session '" + session + "'" : "message '" + message + "'") + " of "
                + (side == HoldSide.OUTBOX ? "destination '" : "consumer '") + scope + "'";
    }
}
