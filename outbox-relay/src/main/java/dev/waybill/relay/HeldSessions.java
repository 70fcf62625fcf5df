package dev.waybill.relay;

import dev.waybill.hold.Cause;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one lane that are not sent now, because they are held or about to be. Shared by the pages that are read
 * ahead, and asked only once what was sent before has come back: a page that was read before the hold was recorded knows
 * nothing of it. Used by one thread after the other.
 */
final class HeldSessions {
    private final String destination;
    private final HoldPolicy policy;
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();

    HeldSessions(String destination, HoldPolicy policy) {
        this.destination = destination;
        this.policy = policy;
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Whether the row must join its session's hold. */
    boolean takes(OutboxRow row) {
        @Nullable String session = row.sessionId();
        if (session == null) {
            return false;
        }
        if (row.isHeld()) {
            sessions.add(session);
        }
        return sessions.contains(session);
    }

    SetAside join(OutboxRow row) {
        String session = row.sessionId();
        if (session == null) {
            throw new IllegalArgumentException(row + " has no session that could be held");
        }
        return new SetAside(HoldKey.session(HoldSide.OUTBOX, destination, session), row, null);
    }

    /** The row is refused; what follows in its session goes by the policy. */
    SetAside refuse(OutboxRow row, Cause cause) {
        @Nullable String session = row.sessionId();
        if (session == null || policy == HoldPolicy.SKIP) {
            return new SetAside(HoldKey.message(HoldSide.OUTBOX, destination, session, row.messageId()), row, cause);
        }
        sessions.add(session);
        return new SetAside(HoldKey.session(HoldSide.OUTBOX, destination, session), row, cause);
    }

    /**
     * A row that goes into a hold with the next settle.
     *
     * @param cause why it is refused; null if it follows one that is
     */
    record SetAside(HoldKey key, RowPlace row, @Nullable Cause cause) {
        SetAside(HoldKey key, OutboxRow row, @Nullable Cause cause) {
            this(key, RowPlace.of(row), cause);
        }
    }

    /**
     * By what a row of a lane is found again. Its sequence value alone is not enough: a sequence that was set back gives values
     * that others have.
     */
    record RowPlace(long seq, @Nullable String sessionId, String messageId, String brokerMessageId) {
        static RowPlace of(OutboxRow row) {
            return new RowPlace(row.seq(), row.sessionId(), row.messageId(), row.brokerMessageId());
        }
    }
}
