package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assigns sessions to receivers, and each session's messages to its receiver. The cost of an event is independent of the number of
 * sessions.
 */
public final class SessionDispatch implements Dispatch {
    private final Mailbox mailbox;
    private final BrokerContext context;
    private final Map<String, Session> sessions = new HashMap<>();
    /** Sessions with messages and no receiver, longest wait first. */
    private final Set<Session> available = new LinkedHashSet<>();

    private final Set<Session> stirred = new LinkedHashSet<>();
    private final Set<SessionRequest> waiting = new LinkedHashSet<>();
    private final Deadlines<Session> locks;
    private long numbers;
    private long stateBytes;

    SessionDispatch(Mailbox mailbox, BrokerContext context) {
        this.mailbox = mailbox;
        this.context = context;
        this.locks = new Deadlines<>(context.loop(), s -> s.lockedUntil, s -> s.number, this::lockExpired);
    }

    public Session session(String id) {
        return sessions.computeIfAbsent(Session.key(id), key -> {
            Session session = new Session(id, numbers++);
            session.updatedMillis = context.clock().wallMillis();
            return session;
        });
    }

    @Nullable Session find(String id) {
        return sessions.get(Session.key(id));
    }

    public Collection<Session> sessions() {
        return sessions.values();
    }

    @Override
    public void ready(Entry entry) {
        Session session = sessionOf(entry);
        session.ready.put(entry.sequenceNumber(), entry);
        stir(session);
    }

    @Override
    public void taken(Entry entry) {
        Session session = sessionOf(entry);
        session.ready.remove(entry.sequenceNumber());
        if (!session.available()) {
            available.remove(session);
        }
    }

    void stir(Session session) {
        if (session.receiver != null) {
            stirred.add(session);
        } else if (session.available()) {
            available.add(session);
        }
    }

    private static Session sessionOf(Entry entry) {
        Session session = entry.session;
        if (session == null) {
            throw new IllegalStateException("Message " + entry.sequenceNumber() + " has no session");
        }
        return session;
    }

    /** Grants the request now or later; throws if that is impossible. */
    void request(SessionRequest request) {
        String id = request.sessionId();
        if (id == null) {
            waiting.add(request);
            mailbox.wake();
            return;
        }
        Session session = session(id);
        if (session.receiver != null) {
            throw new Refused(
                    BrokerError.SESSION_CANNOT_BE_LOCKED,
                    "The requested session '" + id + "' cannot be accepted. It may be locked by another receiver.");
        }
        grant(session, request);
    }

    void withdraw(SessionRequest request) {
        waiting.remove(request);
    }

    public int waitingCount() {
        return waiting.size();
    }

    private void grant(Session session, SessionRequest request) {
        // First, because a session in use is kept even if its returned messages have all expired.
        session.receiver = request.receiver();
        available.remove(session);
        for (Entry left : List.copyOf(session.locked)) {
            mailbox.giveBack(left);
        }
        lock(session);
        request.granted(session);
        stir(session);
        mailbox.wake();
    }

    private void lock(Session session) {
        session.lockedUntil = mailbox.lockEnd();
        locks.add(session);
    }

    /** Throws unless the requester's receiver has the session. */
    Session held(String id, Requester by) {
        Session session = find(id);
        if (session == null || session.receiver == null || !by.receivesBy(session.receiver)) {
            throw Refused.sessionLost();
        }
        return session;
    }

    /** Requires that there is room. */
    void keepState(Session session, byte @Nullable [] state) {
        stateBytes += session.stateBytesMore(state);
        session.state = state;
        session.updatedMillis = context.clock().wallMillis();
    }

    @Override
    public long bytes() {
        return stateBytes;
    }

    long renew(Session session) {
        locks.remove(session);
        lock(session);
        return session.lockedUntil;
    }

    /** The receiver returns the session. */
    void release(Session session, Receiver receiver) {
        if (session.receiver != receiver) {
            return;
        }
        locks.remove(session);
        session.receiver = null;
        for (Entry entry : session.locked) {
            mailbox.lockAlone(entry, session.lockedUntil);
        }
        session.lockedUntil = BrokerClock.NEVER;
        stir(session);
        dropIfIdle(session);
        mailbox.wake();
    }

    /** Takes the session from its receiver, as if its lock had expired. */
    void expire(Session session) {
        if (session.receiver != null) {
            locks.remove(session);
            lockExpired(session);
        }
    }

    private void lockExpired(Session session) {
        Receiver receiver = session.receiver;
        session.receiver = null;
        session.lockedUntil = BrokerClock.NEVER;
        for (Entry entry : List.copyOf(session.locked)) {
            mailbox.lockLost(entry);
        }
        stir(session);
        if (receiver != null) {
            receiver.lost(Refused.sessionLost());
        }
        dropIfIdle(session);
        mailbox.wake();
    }

    void dropIfIdle(Session session) {
        if (session.idle()) {
            // A dead letter that returned may have created a new session with this id.
            sessions.remove(Session.key(session.id), session);
            available.remove(session);
        }
    }

    @Override
    public void run() {
        while (!waiting.isEmpty() && !available.isEmpty()) {
            SessionRequest request = waiting.iterator().next();
            waiting.remove(request);
            grant(available.iterator().next(), request);
        }
        List<Session> now = new ArrayList<>(stirred);
        stirred.clear();
        now.forEach(this::deliver);
    }

    private void deliver(Session session) {
        Receiver receiver = session.receiver;
        while (receiver != null && !session.ready.isEmpty() && receiver.capacity() > 0) {
            mailbox.handOver(session.ready.firstEntry().getValue(), receiver);
        }
    }

    @Override
    public int receivers() {
        return (int) sessions.values().stream()
                .filter(session -> session.receiver != null)
                .count();
    }

    @Override
    public void close(Refused why) {
        for (Session session : List.copyOf(sessions.values())) {
            Receiver receiver = session.receiver;
            session.receiver = null;
            if (receiver != null) {
                receiver.lost(why);
            }
        }
        for (SessionRequest request : List.copyOf(waiting)) {
            request.receiver().lost(why);
        }
        locks.clear();
        waiting.clear();
    }
}
