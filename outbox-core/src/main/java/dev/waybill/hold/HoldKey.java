package dev.waybill.hold;

import dev.waybill.message.BrokerNames;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a hold. The scope is a destination or a consumer.
 *
 * @param session the held session, or the session of the held message; null for a message without a session
 * @param message the logical id of the held message; null if the whole session is held
 */
public record HoldKey(
        HoldSide side,
        String scope,
        @Nullable String session,
        @Nullable String message) {
    public HoldKey {
        if (session == null && message == null) {
            throw new IllegalArgumentException("A hold needs a session or a message");
        }
    }

    public static HoldKey session(HoldSide side, String scope, String session) {
        return new HoldKey(side, scope, session, null);
    }

    public static HoldKey message(HoldSide side, String scope, @Nullable String session, String message) {
        return new HoldKey(side, scope, session, message);
    }

    /** The key in the database, unique within side and scope. */
    public String text() {
        return text(session, message);
    }

    /** As the tables compute it, with the session's length in code points. */
    public static String text(@Nullable String session, @Nullable String message) {
        String first =
                session == null ? "-" : session.codePointCount(0, session.length()) + ":" + BrokerNames.key(session);
        return message == null ? first : first + "/" + message;
    }

    /** Sessions that Service Bus takes for one are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HoldKey key && side == key.side && scope.equals(key.scope) && text().equals(key.text());
    }

    @Override
    public int hashCode() {
        return Objects.hash(side, scope, text());
    }

    @Override
    public String toString() {
        return (message == null ? "session '" + session + "'" : "message '" + message + "'") + " of "
                + (side == HoldSide.OUTBOX ? "destination '" : "consumer '") + scope + "'";
    }
}
