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

/** A queue: its messages, dead letters, seen ids and scheduled messages. */
public final class MessageEntity implements Destination, MailboxOwner {
    /** Also where an entity takes larger messages than its tier. */
    private static final int MOST_BATCH_BYTES = 1024 * 1024;

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

    // Onward takes the messages instead of receivers, unless it is null.
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

    void deleteWhenIdle(Runnable delete) {
        usage.deleteWhenIdle(() -> options.autoDeleteOnIdle(), this::inUse, delete);
    }

    /** Forwarding and receivers of a topic's subscriptions count, too. */
    boolean inUse() {
        return options.forwardTo() != null || mailboxes.hasReceivers() || (onward != null && onward.inUse());
    }

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
        return Math.min(maxMessageBytes(), MOST_BATCH_BYTES);
    }

    @Override
    public void attach(Attached sender) {
        senders.add(sender);
    }

    @Override
    public void detach(Attached sender) {
        senders.remove(sender);
    }

    void requirePresent() {
        senders.requireOpen();
    }

    @Override
    public void requireRoom(long bytes) {
        Admission.room(path, options, bytesHeld(), bytes);
    }

    /** Includes messages in every state, dead letters and session states. */
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

    /** Throws {@code Refused} if the message cannot be accepted. */
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

    /** Forwards messages at once, except those scheduled, which wait at the target. */
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

    void bury(Entry entry, Mailbox grave, String reason, String description) {
        entry.modify(Map.of(Settlement.REASON, reason, Settlement.DESCRIPTION, description));
        if (grave == mailboxes.deadLetters()) {
            deadLetter(entry);
        } else {
            grave.add(entry.movedTo(entry.sequenceNumber(), entry.enqueuedMillis(), BrokerClock.NEVER, null));
        }
    }

    /** Dead-letters a copy of a topic's message, with a number of this entity. */
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
     * The caller protects settings that are fixed at creation.
     *
     * @throws Refused if the forwarding target is invalid
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

    public EntitySnapshot snapshot() {
        return new Snapshots(context.clock()).of(this);
    }

    /** Includes sub-queues. */
    public void expireLocks() {
        mailboxes.each(Mailbox::expireLocks);
    }

    void close(Refused why) {
        senders.close(why);
        usage.end();
        mailboxes.each(mailbox -> mailbox.close(why));
        schedule.clear();
    }
}
