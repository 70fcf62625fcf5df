package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.journal.JournalWriter;
import dev.waybill.servicebus.embedded.journal.Settled.Outcome;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages and their locks: the common part of queues, subscriptions and dead-letter queues. */
public final class Mailbox {
    private final BrokerContext context;
    private final String path;
    private final Kind kind;
    private final MailboxOwner owner;
    private final JournalWriter journal;
    private final Ledger ledger;
    private final Contents contents = new Contents();
    private final MessageLocks locks;
    private final Deadlines<Entry> lives;
    private final Dispatch dispatch;
    private boolean awake;

    public enum Kind {
        MAIN,
        DEAD_LETTERS,
        TRANSFER_DEAD_LETTERS
    }

    public Mailbox(BrokerContext context, String path, Kind kind, MailboxOwner owner) {
        this.context = context;
        this.path = path;
        this.kind = kind;
        this.owner = owner;
        this.journal = context.journals().writer(path);
        this.ledger = new Ledger(journal, context.clock());
        this.locks = new MessageLocks(context.loop(), this::lockRanOut);
        this.lives = new Deadlines<>(context.loop(), e -> e.expiresAt, Entry::sequenceNumber, this::lifeEnded);
        this.dispatch = kind == Kind.MAIN && owner.options().sessionRequired()
                ? new SessionDispatch(this, context)
                : new PlainDispatch(this);
    }

    /** The address, as configured. */
    public String path() {
        return path;
    }

    public QueueOptions options() {
        return owner.options();
    }

    public Ledger ledger() {
        return ledger;
    }

    public JournalWriter journal() {
        return journal;
    }

    public boolean hasSessions() {
        return dispatch instanceof SessionDispatch;
    }

    public SessionDispatch sessions() {
        if (dispatch instanceof SessionDispatch sessions) {
            return sessions;
        }
        throw new IllegalStateException(path + " has no sessions");
    }

    PlainDispatch plain() {
        if (dispatch instanceof PlainDispatch plain) {
            return plain;
        }
        throw new IllegalStateException(path + " has sessions");
    }

    Kind kind() {
        return kind;
    }

    void used() {
        owner.accessed();
    }

    void lookedAt() {
        owner.used();
    }

    public int receivers() {
        return dispatch.receivers();
    }

    public Collection<Entry> entries() {
        return contents.all();
    }

    Collection<Entry> entriesFrom(long sequenceNumber) {
        return contents.from(sequenceNumber);
    }

    public @Nullable Entry entry(long sequenceNumber) {
        return contents.at(sequenceNumber);
    }

    public @Nullable Entry next(long after) {
        return contents.next(after);
    }

    public long bytes() {
        return contents.bytes() + dispatch.bytes();
    }

    /** Runs a change of the used bytes; throws if the entity is full. */
    void changeRoom(long more, Runnable change) {
        if (more > 0) {
            owner.requireRoom(more);
        }
        change.run();
        if (more < 0) {
            owner.roomMade();
        }
    }

    /** Delivers at the end of this turn. */
    public void wake() {
        if (!awake) {
            awake = true;
            context.loop().later(this::deliver);
        }
    }

    private void deliver() {
        awake = false;
        if (options().status().receives()) {
            dispatch.run();
        }
    }

    public void add(Entry entry) {
        keep(entry);
        activate(entry);
    }

    /** Stores a message that is not deliverable yet. */
    public void keep(Entry entry) {
        contents.put(entry);
        if (entry.state != Entry.State.SCHEDULED && kind == Kind.MAIN) {
            lives.add(entry);
        }
    }

    private void activate(Entry entry) {
        entry.state = Entry.State.ACTIVE;
        dispatch.ready(entry);
        wake();
    }

    public void remove(Entry entry) {
        if (entry.state == Entry.State.ACTIVE) {
            dispatch.taken(entry);
        }
        locks.unlock(entry);
        lives.remove(entry);
        contents.remove(entry);
        owner.roomMade();
        if (entry.session != null) {
            sessions().dropIfIdle(entry.session);
        }
    }

    void handOver(Entry entry, Receiver receiver) {
        dispatch.taken(entry);
        if (receiver.deletesOnDelivery()) {
            entry.state = Entry.State.LOCKED;
            remove(entry);
            ledger.delivered(entry);
            ledger.settled(entry, Outcome.COMPLETED);
        } else {
            long until = entry.session == null ? lockEnd() : BrokerClock.NEVER;
            lock(entry, until);
            ledger.delivered(entry);
        }
        receiver.deliver(entry);
    }

    /** While time advances, no client can renew the lock, so it lasts from the target time. */
    long lockEnd() {
        return BrokerClock.plus(context.clock().destination(), options().lockDuration());
    }

    /** A message of a session in use is locked as long as the session. */
    void lock(Entry entry, long until) {
        entry.state = Entry.State.LOCKED;
        locks.lock(entry, until);
    }

    /** Gives a message its own lock end after its session lost the receiver. */
    void lockAlone(Entry entry, long until) {
        locks.extend(entry, until);
    }

    /** Throws {@code Refused} if no such lock exists. */
    public Entry held(UUID token) {
        Entry entry = locks.find(token);
        if (entry == null) {
            throw hasSessions() ? Refused.sessionLost() : Refused.lockLost();
        }
        return entry;
    }

    /** Returns the lock's new end in broker time. */
    long renew(UUID token) {
        Entry entry = held(token);
        if (entry.session != null && entry.session.receiver != null) {
            return sessions().renew(entry.session);
        }
        lockAlone(entry, lockEnd());
        return entry.lockedUntil;
    }

    /** Rejects properties above the size limit of a message: repeated deferrals could add ever more. */
    public void check(Entry entry, Settlement settlement) {
        Admission.properties(entry.sizeWith(settlement.properties()), largestMessage());
    }

    /**
     * Ends a delivery.
     *
     * @throws Refused if the message would become too large
     */
    public void settle(Entry entry, Settlement settlement) {
        check(entry, settlement);
        Outcome outcome = settlement.outcome();
        locks.unlock(entry);
        int before = entry.size();
        entry.modify(settlement.properties());
        contents.grown(entry.size() - before);
        switch (outcome) {
            case COMPLETED -> complete(entry);
            case ABANDONED -> failed(entry, Outcome.ABANDONED);
            case DEFERRED -> {
                entry.state = Entry.State.DEFERRED;
                entry.deferred = true;
                ledger.settled(entry, outcome);
            }
            case DEAD_LETTERED -> {
                ledger.settled(entry, outcome);
                remove(entry);
                owner.deadLetter(entry);
            }
            case RELEASED -> giveBack(entry);
            case LOCK_LOST, COMPLETED_BUT_RETURNS -> throw new IllegalArgumentException("No settlement: " + outcome);
        }
    }

    private void complete(Entry entry) {
        if (entry.returnsOnceMore) {
            entry.returnsOnceMore = false;
            failed(entry, Outcome.COMPLETED_BUT_RETURNS);
        } else {
            ledger.settled(entry, Outcome.COMPLETED);
            remove(entry);
        }
    }

    /** Returns a message without counting a failed delivery. */
    void giveBack(Entry entry) {
        locks.unlock(entry);
        ledger.settled(entry, Outcome.RELEASED);
        backToItsPlace(entry);
    }

    /** Returns a message after its receiver lost the lock. */
    void lockLost(Entry entry) {
        locks.unlock(entry);
        failed(entry, Outcome.LOCK_LOST);
    }

    /** Ends the lock of the message, or of its session in use. */
    public void expireLock(Entry entry) {
        if (entry.session != null && entry.session.receiver != null) {
            sessions().expire(entry.session);
        } else if (entry.lockToken != null) {
            lockLost(entry);
        }
    }

    private void lockRanOut(Entry entry) {
        if (entry.session != null) {
            giveBack(entry);
        } else {
            lockLost(entry);
        }
    }

    private void failed(Entry entry, Outcome outcome) {
        ledger.settled(entry, outcome);
        entry.deliveryCount++;
        if (kind == Kind.MAIN && entry.deliveryCount >= options().maxDeliveryCount()) {
            remove(entry);
            deadLetter(
                    entry,
                    "MaxDeliveryCountExceeded",
                    "Message could not be consumed after " + options().maxDeliveryCount() + " delivery attempts.");
        } else {
            backToItsPlace(entry);
        }
    }

    private void backToItsPlace(Entry entry) {
        if (kind == Kind.MAIN
                && !entry.deferred
                && entry.expiresAt <= context.clock().now()) {
            lifeEnded(entry);
        } else if (entry.deferred) {
            entry.state = Entry.State.DEFERRED;
        } else if (kind == Kind.MAIN && owner.passesOn()) {
            // A receiver had the message when forwarding began.
            remove(entry);
            owner.passOn(entry);
        } else {
            activate(entry);
            if (kind == Kind.DEAD_LETTERS) {
                owner.deadLetterBack();
            }
        }
    }

    private void lifeEnded(Entry entry) {
        if (entry.lockToken != null || entry.deferred) {
            return;
        }
        remove(entry);
        if (options().deadLettersExpired()) {
            deadLetter(entry, "TTLExpiredException", "The message expired and was dead lettered.");
        }
    }

    private void deadLetter(Entry entry, String reason, String description) {
        entry.modify(Map.of(Settlement.REASON, reason, Settlement.DESCRIPTION, description));
        owner.deadLetter(entry);
    }

    int largestMessage() {
        return Admission.largest(options(), context.limits());
    }

    public void close(Refused why) {
        dispatch.close(why);
        locks.clear();
        lives.clear();
        contents.clear();
    }

    public void expireLocks() {
        if (dispatch instanceof SessionDispatch sessions) {
            List.copyOf(sessions.sessions()).forEach(sessions::expire);
        }
        locks.all().forEach(this::lockLost);
    }
}
