package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reaches the messages of a mailbox by number or token, past its receivers. */
public final class Lookup {
    private final Mailbox mailbox;

    public Lookup(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    /** Messages in whatever state from a number on, of one session if one is named. */
    public List<Entry> peek(long fromSequenceNumber, int count, @Nullable String sessionId) {
        mailbox.lookedAt();
        List<Entry> found = new ArrayList<>();
        for (Entry entry : mailbox.entriesFrom(fromSequenceNumber)) {
            if (found.size() == count) {
                break;
            }
            if (sessionId == null || sessionId.equals(entry.sessionId())) {
                found.add(entry);
            }
        }
        return found;
    }

    /**
     * The deferred messages of these numbers; refuses if one of them is none, or if the requester lacks their
     * session.
     */
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
                    && (sessionId == null || sessionId.equals(entry.sessionId()));
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
     * Deletes the first messages that wait for a receiver: not those that are locked, deferred or scheduled.
     *
     * @param count how many at most
     * @param beforeMillis only those that came before this moment, by the wall clock
     * @param sessionId only those of this session, which the requester must have; null for those of all sessions
     *     that nobody has
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
                    && (sessionId == null || sessionId.equals(entry.sessionId()))) {
                found.add(entry);
            }
        }
        found.forEach(mailbox::remove);
        return found.size();
    }

    /** Locks a deferred message for whoever asked for it. */
    public void lock(Entry entry) {
        boolean withSession = entry.session != null;
        mailbox.lock(entry, withSession ? BrokerClock.NEVER : mailbox.lockEnd());
        mailbox.ledger().delivered(entry);
    }

    /** Hands a deferred message over for good. */
    public void take(Entry entry) {
        mailbox.ledger().delivered(entry);
        mailbox.settle(entry, Settlement.complete());
    }

    /** Renews a message's lock; tells when it now ends, on the broker's time line. */
    public long renew(UUID token) {
        return mailbox.renew(token);
    }
}
