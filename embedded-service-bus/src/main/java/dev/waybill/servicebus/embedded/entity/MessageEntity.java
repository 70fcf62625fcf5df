package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.entity.Mailbox.Kind;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.journal.DroppedDuplicate;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** A queue: its messages, its dead letters, the ids it has seen and the messages scheduled for it. */
public final class MessageEntity implements Destination, MailboxOwner {
    private static final Symbol SCHEDULED_FOR = Symbol.valueOf("x-opt-scheduled-enqueue-time");

    private final BrokerContext context;
    private final String path;
    private final Mailbox main;
    private final Mailbox deadLetters;
    private final Mailbox transferDeadLetters;
    private final DuplicateHistory history = new DuplicateHistory();
    private final Deadlines<Scheduled> scheduled;
    private QueueOptions options;
    private long lastSequenceNumber;

    private record Scheduled(long due, Entry entry) {
        long number() {
            return entry.sequenceNumber();
        }
    }

    public MessageEntity(BrokerContext context, String path, QueueOptions options) {
        this.context = context;
        this.path = path;
        this.options = options;
        this.main = new Mailbox(context, path, Kind.MAIN, this);
        this.deadLetters = new Mailbox(context, path + "/$DeadLetterQueue", Kind.DEAD_LETTERS, this);
        this.transferDeadLetters =
                new Mailbox(context, path + "/$Transfer/$DeadLetterQueue", Kind.TRANSFER_DEAD_LETTERS, this);
        this.scheduled = new Deadlines<>(context.loop(), Scheduled::due, Scheduled::number, this::fallDue);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public QueueOptions options() {
        return options;
    }

    public Mailbox main() {
        return main;
    }

    public Mailbox deadLetters() {
        return deadLetters;
    }

    public Mailbox transferDeadLetters() {
        return transferDeadLetters;
    }

    @Override
    public int maxMessageBytes() {
        return Admission.largest(options, context.limits());
    }

    @Override
    public void check(List<BrokerMessage> messages) {
        Admission.check(path, options, context.limits(), main.bytes(), messages);
    }

    @Override
    public void store(List<BrokerMessage> messages) {
        for (BrokerMessage message : messages) {
            if (isDuplicate(message)) {
                main.journal().duplicate(new DroppedDuplicate(message.messageId(), message.sessionId(), wallTime()));
            } else {
                store(message);
            }
        }
    }

    private boolean isDuplicate(BrokerMessage message) {
        String id = message.messageId();
        return options.duplicateWindow() != null
                && id != null
                && history.seenBefore(
                        id, options.duplicateWindow(), context.clock().now());
    }

    private void store(BrokerMessage message) {
        long wall = context.clock().wallMillis();
        Long due = Timestamps.millis(message.annotation(SCHEDULED_FOR));
        if (due != null && due > wall) {
            schedule(message, due);
        } else {
            enter(message, false);
        }
    }

    @Override
    public List<Long> schedule(List<BrokerMessage> messages) {
        check(messages);
        List<Long> numbers = new ArrayList<>();
        for (BrokerMessage message : messages) {
            Long due = Timestamps.millis(message.annotation(SCHEDULED_FOR));
            numbers.add(isDuplicate(message) ? 0 : schedule(message, due == null ? 0 : due));
        }
        return numbers;
    }

    @Override
    public void cancelScheduled(List<Long> sequenceNumbers) {
        List<Entry> found = new ArrayList<>();
        for (long number : sequenceNumbers) {
            Entry entry = main.entry(number);
            if (entry == null || entry.state != Entry.State.SCHEDULED) {
                throw new Refused(
                        BrokerError.MESSAGE_NOT_FOUND, "There is no scheduled message with number " + number + ".");
            }
            found.add(entry);
        }
        found.forEach(main::remove);
    }

    private long schedule(BrokerMessage message, long dueWallMillis) {
        Entry entry = new Entry(
                message, ++lastSequenceNumber, context.clock().wallMillis(), BrokerClock.NEVER, sessionOf(message));
        entry.state = Entry.State.SCHEDULED;
        entry.scheduled = true;
        main.keep(entry);
        scheduled.add(new Scheduled(context.clock().fromWall(dueWallMillis), entry));
        return entry.sequenceNumber();
    }

    private void fallDue(Scheduled due) {
        if (main.entry(due.number()) == due.entry) {
            main.remove(due.entry);
            enter(due.entry.message(), true);
        }
    }

    private void enter(BrokerMessage message, boolean wasScheduled) {
        long wall = context.clock().wallMillis();
        Entry entry = new Entry(message, ++lastSequenceNumber, wall, endOfLife(message), sessionOf(message));
        entry.scheduled = wasScheduled;
        main.journal()
                .stored(new Stored(
                        entry.sequenceNumber(),
                        message.messageId(),
                        message.sessionId(),
                        wall,
                        message.encodedProperties()));
        main.add(entry);
    }

    private long endOfLife(BrokerMessage message) {
        long entityEnd = context.clock().after(options.timeToLive());
        Long own = message.timeToLiveMillis();
        return own == null ? entityEnd : Math.min(entityEnd, context.clock().now() + own);
    }

    private @Nullable Session sessionOf(BrokerMessage message) {
        String id = message.sessionId();
        return main.hasSessions() && id != null ? main.sessions().session(id) : null;
    }

    @Override
    public void deadLetter(Entry entry) {
        deadLetters.add(entry.movedTo(entry.sequenceNumber(), entry.enqueuedMillis(), BrokerClock.NEVER, null));
    }

    private Instant wallTime() {
        return Instant.ofEpochMilli(context.clock().wallMillis());
    }

    /** The entity as it is now. */
    public EntitySnapshot snapshot() {
        return new Snapshots(context.clock()).of(this);
    }

    /** Ends all locks of messages and sessions, in its sub-queues too. */
    public void expireLocks() {
        main.expireLocks();
        deadLetters.expireLocks();
        transferDeadLetters.expireLocks();
    }

    /** The entity is deleted. */
    void close(Refused why) {
        main.close(why);
        deadLetters.close(why);
        transferDeadLetters.close(why);
        scheduled.clear();
    }
}
