package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.journal.DroppedDuplicate;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Admission;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.MailboxOwner;
import dev.waybill.servicebus.embedded.mailbox.Partitions;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Session;
import dev.waybill.servicebus.embedded.mailbox.Settlement;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.MessageIds;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue: its messages, its dead letters, the ids it has seen and the messages scheduled for it. */
public final class MessageEntity implements Destination, MailboxOwner {
    private final BrokerContext context;
    private final String path;
    private final Mailboxes mailboxes;
    private final Duplicates duplicates;
    private final Schedule schedule;
    private final @Nullable Onward onward;
    private final Directory directory;
    private final Forwarding forwarding;
    private final DeadLetterForwarding deadLetterForwarding;
    private QueueOptions options;
    private long lastSequenceNumber;
    private final Usage usage;
    private final Lifetimes lifetimes;
    private final Senders senders = new Senders();

    /** An entity whose messages go onward instead of waiting for receivers, if that is given. */
    MessageEntity(
            BrokerContext context, String path, QueueOptions options, Directory directory, @Nullable Onward onward) {
        this.context = context;
        this.onward = onward;
        this.directory = directory;
        this.forwarding = new Forwarding(this, directory);
        this.deadLetterForwarding = new DeadLetterForwarding(this, directory, forwarding);
        this.path = path;
        this.usage = new Usage(context);
        this.lifetimes = new Lifetimes(this, context.clock());
        this.options = options;
        this.mailboxes = Mailboxes.of(context, path, this);
        this.duplicates = new Duplicates(this, context.clock());
        this.schedule = new Schedule(this, context);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public QueueOptions options() {
        return options;
    }

    public EntityTimes times() {
        return usage.times();
    }

    /** From now on the entity is deleted when it has been idle for too long. */
    void deleteWhenIdle(Runnable delete) {
        usage.deleteWhenIdle(() -> options.autoDeleteOnIdle(), this::inUse, delete);
    }

    /** Whether somebody receives from it. Forwarding does, and so do the receivers of a topic's subscriptions. */
    boolean inUse() {
        return options.forwardTo() != null || mailboxes.hasReceivers() || (onward != null && onward.inUse());
    }

    /** Somebody looks into it, or has changed its rules: it is not idle, although nothing came or went. */
    @Override
    public void used() {
        usage.used();
    }

    Usage usage() {
        return usage;
    }

    @Override
    public void accessed() {
        usage.accessed();
    }

    Duplicates duplicates() {
        return duplicates;
    }

    public Mailbox main() {
        return mailboxes.main();
    }

    public Mailbox deadLetters() {
        return mailboxes.deadLetters();
    }

    public Mailbox transferDeadLetters() {
        return mailboxes.transferDeadLetters();
    }

    @Override
    public int maxMessageBytes() {
        return Admission.largest(options, context.limits());
    }

    @Override
    public int maxBatchBytes() {
        return Math.min(maxMessageBytes(), context.limits().batchBytes());
    }

    @Override
    public void attach(Attached sender) {
        senders.add(sender);
    }

    @Override
    public void detach(Attached sender) {
        senders.remove(sender);
    }

    /** Refuses if the entity was deleted. */
    void requirePresent() {
        senders.requireOpen();
    }

    @Override
    public void requireRoom(long bytes) {
        Admission.room(path, options, bytesHeld(), bytes);
    }

    /** All that counts against its size: messages in every state, dead letters and the states of sessions. */
    long bytesHeld() {
        return mailboxes.bytes() + (onward == null ? 0 : onward.bytesHeld());
    }

    @Override
    public void check(List<BrokerMessage> messages) {
        requirePresent();
        Admission.check(path, options, context.limits(), bytesHeld(), messages);
    }

    @Override
    public void store(List<BrokerMessage> messages) {
        accessed();
        for (BrokerMessage sent : messages) {
            BrokerMessage message = MessageIds.assign(sent);
            if (duplicates.seenBefore(message)) {
                dropped(message);
            } else {
                store(message);
            }
        }
    }

    void dropped(BrokerMessage duplicate) {
        Instant now = Instant.ofEpochMilli(context.clock().wallMillis());
        mailboxes.main().journal().duplicate(new DroppedDuplicate(duplicate.messageId(), duplicate.sessionId(), now));
    }

    long nextNumber(BrokerMessage message) {
        long ordinal = ++lastSequenceNumber;
        return options.partitioned() ? Partitions.number(message, ordinal) : ordinal;
    }

    private void store(BrokerMessage message) {
        if (schedule.isForLater(message)) {
            schedule.add(message, nextNumber(message));
        } else {
            enter(message, false);
        }
    }

    @Override
    public List<Long> schedule(List<BrokerMessage> messages) {
        check(messages);
        accessed();
        return schedule.take(messages);
    }

    @Override
    public Reservation reserve(List<BrokerMessage> messages) {
        check(messages);
        return schedule.reserve(messages);
    }

    @Override
    public void cancelScheduled(List<Long> sequenceNumbers) {
        schedule.cancel(sequenceNumbers);
    }

    /** Takes in a message that is due. */
    void enter(BrokerMessage message, boolean wasScheduled) {
        boolean tooLarge = message.headSize() > context.limits().headBytes();
        Session session = tooLarge ? null : sessionOf(message);
        Entry entry = new Entry(
                message, nextNumber(message), context.clock().wallMillis(), lifetimes.endOf(message), session);
        entry.scheduled = wasScheduled;
        if (tooLarge) {
            bury(entry, mailboxes.deadLetters(), "HeaderSizeExceeded", "The properties of the message are too large.");
            return;
        }
        mailboxes.main().ledger().stored(entry);
        arrive(entry);
    }

    private void arrive(Entry entry) {
        if (onward != null) {
            onward.pass(entry);
        } else if (options.forwardTo() != null) {
            forwarding.forward(entry, options.forwardTo());
        } else {
            mailboxes.main().add(entry);
        }
    }

    /**
     * Takes a message that another entity forwards.
     *
     * @throws Refused if it cannot be taken
     */
    void acceptForwarded(Entry from) {
        check(List.of(from.message()));
        if (duplicates.seenBefore(from.message())) {
            dropped(from.message());
            return;
        }
        long expires = lifetimes.endOf(from);
        Entry entry = from.movedTo(
                nextNumber(from.message()), context.clock().wallMillis(), expires, sessionOf(from.message()));
        entry.firstEnqueuedAs(from.firstSequenceNumber());
        entry.hops = from.hops + 1;
        entry.deliveryCount = 0;
        mailboxes.main().ledger().stored(entry);
        arrive(entry);
    }

    /** Takes messages only to pass them on to another entity, where those that are not due yet wait. */
    void transfer(List<BrokerMessage> messages, String target) {
        accessed();
        for (BrokerMessage sent : messages) {
            BrokerMessage message = MessageIds.assign(sent);
            if (!schedule.leaveWith(directory.intake(target), message)) {
                long wall = context.clock().wallMillis();
                forwarding.forward(new Entry(message, nextNumber(message), wall, BrokerClock.NEVER, null), target);
            }
        }
    }

    /** Takes a subscription's copy of a message from its topic. */
    void acceptCopy(Entry from, BrokerMessage message, @Nullable Map<String, Object> properties) {
        Session session = sessionOf(message);
        long expires = from.outlived ? lifetimes.endOf(from) : Math.min(from.expiresAt, lifetimes.endOf(message));
        Entry entry = new Entry(message, nextNumber(message), context.clock().wallMillis(), expires, session);
        entry.copyFrom(from);
        if (properties != null) {
            entry.replaceProperties(properties);
        }
        entry.scheduled = from.scheduled;
        if (mailboxes.main().hasSessions() && session == null) {
            bury(
                    entry,
                    mailboxes.deadLetters(),
                    "Session ID is null.",
                    "Session enabled entity doesn't allow a message whose session identifier is null.");
            return;
        }
        mailboxes.main().ledger().stored(entry);
        arrive(entry);
    }

    /** Puts a message that the entity does not hold into one of its sub-queues. */
    void bury(Entry entry, Mailbox grave, String reason, String description) {
        entry.modify(Map.of(Settlement.REASON, reason, Settlement.DESCRIPTION, description));
        if (grave == mailboxes.deadLetters()) {
            deadLetter(entry);
        } else {
            grave.add(entry.movedTo(entry.sequenceNumber(), entry.enqueuedMillis(), BrokerClock.NEVER, null));
        }
    }

    /**
     * Makes a dead letter of a topic's message: a copy with a number of this entity, like all else that lies here.
     */
    void buryCopy(Entry from, String reason, String description) {
        Entry copy = new Entry(
                from.message(), nextNumber(from.message()), context.clock().wallMillis(), BrokerClock.NEVER, null);
        copy.copyFrom(from);
        bury(copy, mailboxes.deadLetters(), reason, description);
    }

    @Nullable Session sessionOf(BrokerMessage message) {
        String id = message.sessionId();
        Mailbox main = mailboxes.main();
        return main.hasSessions() && id != null ? main.sessions().session(id) : null;
    }

    @Override
    public void deadLetter(Entry entry) {
        deadLetterForwarding.take(entry);
    }

    @Override
    public void roomMade() {
        directory.changed(path);
    }

    @Override
    public void deadLetterBack() {
        context.loop().later(deadLetterForwarding::tryAgain);
    }

    @Override
    public boolean passesOn() {
        return onward == null && options.forwardTo() != null;
    }

    @Override
    public void passOn(Entry entry) {
        arrive(entry);
    }

    /**
     * Changes the settings. Those fixed at creation are the caller's to guard.
     *
     * @throws Refused if it were to forward to where it cannot
     */
    public void update(QueueOptions changed) {
        context.limits().requireWithinTier(path, changed);
        ForwardingRules.check(path, changed, directory);
        options = changed;
        usage.updated();
        if (passesOn()) {
            for (Entry waiting : List.copyOf(mailboxes.main().entries())) {
                if (waiting.state == Entry.State.ACTIVE) {
                    mailboxes.main().remove(waiting);
                    passOn(waiting);
                }
            }
        }
        deadLetterForwarding.tryAgain();
        directory.changed(path);
        mailboxes.each(Mailbox::wake);
    }

    /** The entity as it is now. */
    public EntitySnapshot snapshot() {
        return new Snapshots(context.clock()).of(this);
    }

    /** Ends all locks of messages and sessions, in its sub-queues too. */
    public void expireLocks() {
        mailboxes.each(Mailbox::expireLocks);
    }

    /** The entity is deleted. */
    void close(Refused why) {
        senders.close(why);
        usage.end();
        mailboxes.each(mailbox -> mailbox.close(why));
        schedule.clear();
    }
}
