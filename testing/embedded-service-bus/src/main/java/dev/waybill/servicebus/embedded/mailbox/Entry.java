package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.message.AmqpCodec;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.Timestamps;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.jspecify.annotations.Nullable;

/** A message in an entity, with the broker's state of it. */
public final class Entry {
    private static final Symbol SEQUENCE_NUMBER = Symbol.valueOf("x-opt-sequence-number");
    private static final Symbol ENQUEUED_TIME = Symbol.valueOf("x-opt-enqueued-time");
    private static final Symbol LOCKED_UNTIL = Symbol.valueOf("x-opt-locked-until");
    private static final Symbol MESSAGE_STATE = Symbol.valueOf("x-opt-message-state");
    private static final Symbol DEAD_LETTER_SOURCE = Symbol.valueOf("x-opt-deadletter-source");
    private static final Symbol ENQUEUE_SEQUENCE_NUMBER = Symbol.valueOf("x-opt-enqueue-sequence-number");

    private static final int ACTIVE_CODE = 0;
    private static final int DEFERRED_CODE = 1;
    private static final int SCHEDULED_CODE = 2;

    public enum State {
        ACTIVE,
        DEFERRED,
        SCHEDULED,
        LOCKED
    }

    private final BrokerMessage message;
    private final long sequenceNumber;
    private final long enqueuedMillis;
    private @Nullable Map<String, Object> changedProperties;
    private int changedBytes;
    private @Nullable String deadLetterSource;
    private long firstSequenceNumber;
    private @Nullable Copies copies;
    public int hops;
    // A forwarded dead letter: its own time to live no longer counts.
    public boolean outlived;

    public final long expiresAt;
    final @Nullable Session session;
    public State state = State.ACTIVE;
    boolean deferred;
    public boolean scheduled;
    public int deliveryCount;
    boolean returnsOnceMore;

    @Nullable UUID lockToken;

    long lockedUntil = BrokerClock.NEVER;

    public Entry(
            BrokerMessage message,
            long sequenceNumber,
            long enqueuedMillis,
            long expiresAt,
            @Nullable Session session) {
        this.message = message;
        this.sequenceNumber = sequenceNumber;
        this.enqueuedMillis = enqueuedMillis;
        this.expiresAt = expiresAt;
        this.session = session;
    }

    /** The message in another mailbox. */
    public Entry movedTo(long sequence, long enqueued, long expires, @Nullable Session newSession) {
        Entry moved = new Entry(message, sequence, enqueued, expires, newSession);
        moved.deliveryCount = deliveryCount;
        moved.firstSequenceNumber = firstSequenceNumber;
        moved.copyFrom(this);
        return moved;
    }

    /** Takes over the changes of earlier entities. */
    public void copyFrom(Entry before) {
        changedProperties = before.changedProperties;
        changedBytes = before.changedBytes;
        deadLetterSource = before.deadLetterSource;
        hops = before.hops;
        outlived = before.outlived;
        copies = before.copies();
        copies.another();
    }

    private Copies copies() {
        if (copies == null) {
            copies = new Copies();
        }
        return copies;
    }

    /** Whether no further copy may be made. */
    public boolean copiedTooOften() {
        return copies != null && copies.tooMany();
    }

    public BrokerMessage message() {
        return message;
    }

    public long sequenceNumber() {
        return sequenceNumber;
    }

    public long enqueuedMillis() {
        return enqueuedMillis;
    }

    public @Nullable String messageId() {
        return message.messageId();
    }

    public @Nullable String sessionId() {
        return message.sessionId();
    }

    /** Only for a locked message. */
    public UUID lockToken() {
        UUID token = lockToken;
        if (token == null) {
            throw new IllegalStateException("Message " + sequenceNumber + " is not locked");
        }
        return token;
    }

    public boolean isLockedBy(UUID token) {
        return token.equals(lockToken);
    }

    /** Size in bytes, including properties added here. */
    public int size() {
        return message.size() + changedBytes;
    }

    /** Size in bytes after a change of application properties. */
    int sizeWith(Map<String, Object> properties) {
        if (properties.isEmpty()) {
            return changedBytes;
        }
        Map<String, Object> changed = applicationProperties();
        changed.putAll(properties);
        return encodedSize(changed);
    }

    private static int encodedSize(Map<String, Object> properties) {
        return AmqpCodec.encode(new ApplicationProperties(properties)).length;
    }

    /** After its completion the message will be delivered again. */
    public void returnOnceMore() {
        returnsOnceMore = true;
    }

    public void modify(Map<String, Object> properties) {
        if (properties.isEmpty()) {
            return;
        }
        Map<String, Object> changed = applicationProperties();
        changed.putAll(properties);
        replaceProperties(changed);
    }

    public void replaceProperties(Map<String, Object> properties) {
        changedProperties = properties;
        changedBytes = encodedSize(properties);
    }

    public Map<String, Object> applicationProperties() {
        return changedProperties == null ? message.applicationProperties() : new HashMap<>(changedProperties);
    }

    public void forwardedFrom(String deadLetterSource) {
        this.deadLetterSource = deadLetterSource;
    }

    public void firstEnqueuedAs(long number) {
        this.firstSequenceNumber = number;
    }

    public long firstSequenceNumber() {
        return firstSequenceNumber == 0 ? sequenceNumber : firstSequenceNumber;
    }

    /** Encodes the message for a delivery, which carries the lock itself. */
    public byte[] encode(BrokerClock clock) {
        return encode(clock, null);
    }

    /** Encodes the message for an answer, with the lock in its delivery annotations, where older clients for Python look for it. */
    public byte[] encodeWithLock(BrokerClock clock) {
        return encode(clock, lockToken());
    }

    private byte[] encode(BrokerClock clock, @Nullable UUID lock) {
        Map<Symbol, Object> stamped = new HashMap<>(message.annotations());
        stamped.put(SEQUENCE_NUMBER, sequenceNumber);
        stamped.put(ENQUEUED_TIME, Timestamps.of(enqueuedMillis));
        stamped.put(MESSAGE_STATE, reportedState());
        if (state == State.LOCKED) {
            stamped.put(LOCKED_UNTIL, Timestamps.of(clock.toWall(lockDeadline())));
        }
        if (deadLetterSource != null) {
            stamped.put(DEAD_LETTER_SOURCE, deadLetterSource);
        }
        if (firstSequenceNumber != 0) {
            stamped.put(ENQUEUE_SEQUENCE_NUMBER, firstSequenceNumber);
        }
        return message.encode(deliveryCount, stamped, changedProperties, lock);
    }

    private int reportedState() {
        if (deferred) {
            return DEFERRED_CODE;
        }
        return scheduled ? SCHEDULED_CODE : ACTIVE_CODE;
    }

    /** The lock's end: its own, or its session's. */
    public long lockDeadline() {
        return lockedUntil == BrokerClock.NEVER && session != null ? session.lockedUntil : lockedUntil;
    }
}
