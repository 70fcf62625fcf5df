package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reaches the sessions of a mailbox by id; all but their list only for the client that has the session. */
public final class SessionLookup {
    private final Mailbox mailbox;
    private final SessionDispatch sessions;
    private final Requester by;

    /**
     * For requests of one client.
     *
     * @throws Refused if the mailbox has no sessions
     */
    public SessionLookup(Mailbox mailbox, Requester by) {
        if (!mailbox.hasSessions()) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED, "The entity '" + mailbox.path() + "' does not require sessions.");
        }
        this.mailbox = mailbox;
        this.sessions = mailbox.sessions();
        this.by = by;
    }

    /** Renews a session's lock; tells when it now ends, on the broker's time line. */
    public long renew(String id) {
        return sessions.renew(sessions.held(id, by));
    }

    /** The session's state, or null when it has none. */
    public byte @Nullable [] state(String id) {
        return sessions.held(id, by).state;
    }

    /**
     * Sets the session's state; refuses one that is larger than a message of the entity may be, or than the entity
     * has room for.
     */
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
     * The ids of sessions, sorted.
     *
     * @param updatedSinceMillis only those whose state was set since then; null for those that have messages
     * @param after only ids that come after this one, which need not exist any more; null for all
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
