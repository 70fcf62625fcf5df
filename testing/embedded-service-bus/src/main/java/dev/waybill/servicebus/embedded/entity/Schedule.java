package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Deadlines;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.MessageIds;
import dev.waybill.servicebus.embedded.message.Timestamps;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** The scheduled messages of an entity. They are in its mailbox, where clients see them. */
final class Schedule {
    private static final Symbol SCHEDULED_FOR = Symbol.valueOf("x-opt-scheduled-enqueue-time");

    private final MessageEntity entity;
    private final BrokerClock clock;
    private final Deadlines<Scheduled> deadlines;

    private record Scheduled(long due, Entry entry) {
        long number() {
            return entry.sequenceNumber();
        }
    }

    Schedule(MessageEntity entity, BrokerContext context) {
        this.entity = entity;
        this.clock = context.clock();
        this.deadlines = new Deadlines<>(context.loop(), Scheduled::due, Scheduled::number, this::fallDue);
    }

    boolean isForLater(BrokerMessage message) {
        Long due = Timestamps.millis(message.annotation(SCHEDULED_FOR));
        return due != null && due > clock.wallMillis();
    }

    /** Stores a scheduled message at its target; returns whether it was scheduled. */
    boolean leaveWith(@Nullable MessageEntity target, BrokerMessage message) {
        boolean leaves = target != null && isForLater(message);
        if (target != null && leaves) {
            target.store(List.of(message));
        }
        return leaves;
    }

    /** Returns the numbers that cancel the messages, 0 for a duplicate. */
    List<Long> take(List<BrokerMessage> messages) {
        List<Long> numbers = new ArrayList<>();
        for (BrokerMessage sent : messages) {
            BrokerMessage message = MessageIds.assign(sent);
            long number = entity.duplicates().seenBefore(message) ? 0 : entity.nextNumber(message);
            numbers.add(number);
            if (number != 0) {
                add(message, number);
            }
        }
        return numbers;
    }

    /** Allocates numbers; {@link Reservation#keep} schedules the messages. */
    Reservation reserve(List<BrokerMessage> messages) {
        List<Long> numbers = new ArrayList<>();
        List<Runnable> steps = new ArrayList<>();
        for (BrokerMessage sent : messages) {
            BrokerMessage message = MessageIds.assign(sent);
            long number = entity.duplicates().known(message) ? 0 : entity.nextNumber(message);
            numbers.add(number);
            steps.add(() -> keep(message, number));
        }
        return new Reservation(numbers, () -> {
            entity.accessed();
            steps.forEach(Runnable::run);
        });
    }

    // Detects duplicates only now: a send that may roll back must not make others duplicates.
    private void keep(BrokerMessage message, long number) {
        if (number == 0 || entity.duplicates().seenBefore(message)) {
            entity.dropped(message);
        } else {
            add(message, number);
        }
    }

    void add(BrokerMessage message, long number) {
        Long due = Timestamps.millis(message.annotation(SCHEDULED_FOR));
        Entry entry = new Entry(message, number, clock.wallMillis(), BrokerClock.NEVER, entity.sessionOf(message));
        entry.state = Entry.State.SCHEDULED;
        entry.scheduled = true;
        entity.main().keep(entry);
        deadlines.add(new Scheduled(clock.fromWall(due == null ? 0 : due), entry));
    }

    private void fallDue(Scheduled due) {
        if (entity.main().entry(due.number()) == due.entry) {
            entity.main().remove(due.entry);
            entity.enter(due.entry.message(), true);
        }
    }

    /** Throws, and cancels none, if a message is not scheduled. */
    void cancel(List<Long> sequenceNumbers) {
        List<Entry> found = new ArrayList<>();
        for (long number : sequenceNumbers) {
            Entry entry = entity.main().entry(number);
            if (entry == null || entry.state != Entry.State.SCHEDULED) {
                throw new Refused(
                        BrokerError.MESSAGE_NOT_FOUND, "There is no scheduled message with number " + number + ".");
            }
            found.add(entry);
        }
        found.forEach(entity.main()::remove);
    }

    void clear() {
        deadlines.clear();
    }
}
