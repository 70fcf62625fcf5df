package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds sessions by id. Only the session's client may use it; any client may list. */
public final class SessionLookup {
    private final Mailbox mailbox;
    private final SessionDispatch sessions;
    private final Requester by;

    /** Throws {@code Refused} if the mailbox has no sessions. */
    public SessionLookup(Mailbox mailbox, Requester by) {
        if (!mailbox.hasSessions()) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED, "The entity '" + mailbox.path() + "' does not require sessions.");
        }
        this.mailbox = mailbox;
        this.sessions = mailbox.sessions();
        this.by = by;
    }

    /** Returns the lock's new end in broker time. */
    public long renew(String id) {
        return sessions.renew(sessions.held(id, by));
    }

    /** Null if there is no state. */
    public byte @Nullable [] state(String id) {
        return sessions.held(id, by).state;
    }

    /** Rejects a state above the entity's message size, or beyond its free room. */
    public void setState(String id, byte @Nullable [] state) {
        Session session = sessions.held(id, by);
        int largest = mailbox.largestMessage();
        if (state != null && state.length > largest) {
            throw new Refused(
                    BrokerError.MESSAGE_SIZE_EXCEEDED,
                    "The session state (size: " + state.length + ") is larger than is currently allowed (" + largest
                            + ").");
        }
        long more = session.stateBytesMore(state);
        mailbox.changeRoom(more, () -> sessions.keepState(session, state));
    }

    /**
     * Lists session ids, sorted.
     *
     * @param updatedSinceMillis only sessions whose state was set since; null for those with messages
     * @param after only later ids; it need not exist; null for all
     */
    public List<String> list(@Nullable Long updatedSinceMillis, @Nullable String after, int skip, int top) {
        return sessions.sessions().stream()
                .filter(session -> updatedSinceMillis == null
                        ? session.messages > 0
                        : session.state != null && session.updatedMillis >= updatedSinceMillis)
                .map(Session::id)
                .filter(id -> after == null || id.compareTo(after) > 0)
                .sorted()
                .skip(skip)
                .limit(top)
                .toList();
    }
}
