package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the messages of a mailbox by number or token. */
public final class Lookup {
    private final Mailbox mailbox;

    public Lookup(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    /** Messages in any state; of all sessions for null. */
    public List<Entry> peek(long fromSequenceNumber, int count, @Nullable String sessionId) {
        mailbox.lookedAt();
        List<Entry> found = new ArrayList<>();
        for (Entry entry : mailbox.entriesFrom(fromSequenceNumber)) {
            if (found.size() == count) {
                break;
            }
            if (sessionId == null || Session.same(sessionId, entry.sessionId())) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Throws if a number is not a deferred message, or if the requester does not have the session. */
    public List<Entry> deferred(List<Long> numbers, @Nullable String sessionId, Requester by) {
        if (mailbox.hasSessions()) {
            mailbox.sessions().held(sessionId == null ? "" : sessionId, by);
        }
        mailbox.used();
        List<Entry> found = new ArrayList<>();
        for (long number : numbers) {
            Entry entry = mailbox.entry(number);
            boolean there = entry != null
                    && entry.state == Entry.State.DEFERRED
                    && (sessionId == null || Session.same(sessionId, entry.sessionId()));
            if (entry == null || !there) {
                throw new Refused(
                        BrokerError.MESSAGE_NOT_FOUND,
                        "Failed to lock one or more specified messages. The message does not exist: " + number);
            }
            found.add(entry);
        }
        return found;
    }

    /**
     * Deletes the first active messages; skips those locked, deferred or scheduled.
     *
     * @param count the most messages
     * @param beforeMillis only messages enqueued before, by wall time
     * @param sessionId the requester's session; null for all sessions without a receiver
     */
    public int delete(int count, long beforeMillis, @Nullable String sessionId, Requester by) {
        if (mailbox.hasSessions() && sessionId != null) {
            mailbox.sessions().held(sessionId, by);
        }
        List<Entry> found = new ArrayList<>();
        for (Entry entry : mailbox.entries()) {
            if (found.size() == count) {
                break;
            }
            boolean free = sessionId != null || entry.session == null || entry.session.receiver == null;
            if (entry.state == Entry.State.ACTIVE
                    && free
                    && entry.enqueuedMillis() < beforeMillis
                    && (sessionId == null || Session.same(sessionId, entry.sessionId()))) {
                found.add(entry);
            }
        }
        found.forEach(mailbox::remove);
        return found.size();
    }

    public void lock(Entry entry) {
        boolean withSession = entry.session != null;
        mailbox.lock(entry, withSession ? BrokerClock.NEVER : mailbox.lockEnd());
        mailbox.ledger().delivered(entry);
    }

    /** Delivers a deferred message and deletes it. */
    public void take(Entry entry) {
        mailbox.ledger().delivered(entry);
        mailbox.settle(entry, Settlement.complete());
    }

    /** Returns the lock's new end in broker time. */
    public long renew(UUID token) {
        return mailbox.renew(token);
    }
}
