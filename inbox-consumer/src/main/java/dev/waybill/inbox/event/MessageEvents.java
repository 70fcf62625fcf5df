package dev.waybill.inbox.event;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.supervision.RateLimitedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what happens to messages without a change of their rows: failures, duplicates, dead letters. {@link #flush} writes the events
 * on another thread in its own transaction, so no message waits for them or fails with them. Buffers at most {@value #MOST} events;
 * beyond that it only counts. Thread-safe.
 */
public final class MessageEvents implements ConsumerListener {
    private static final Logger LOG = LoggerFactory.getLogger(MessageEvents.class);

    /** Covers about a second of failures with bounded memory. */
    static final int MOST = 1_000;

    /** After this many rejected statements per flush, the remaining events are dropped. */
    private static final int MOST_REFUSALS = 50;

    private static final String OTHERS =
            "{} messages were dropped, because their ids belong to handled messages with another"
                    + " subject or body; the last one was message '";

    private static final Duration BETWEEN_TRIMS = Duration.ofMinutes(5);

    private final ConsumerListener next;
    private final @Nullable EventInsert insert;
    private final LongSupplier nanoTime;
    private final RateLimitedLog others;
    private Map<What, Noted> noted = new LinkedHashMap<>();
    private long left;
    private long trimmedAt;
    private boolean warned;

    private MessageEvents(ConsumerListener next, @Nullable EventInsert insert, LongSupplier nanoTime) {
        this.next = next;
        this.insert = insert;
        this.nanoTime = nanoTime;
        others = new RateLimitedLog(LOG, true, Duration.ofMinutes(1), nanoTime);
        trimmedAt = nanoTime.getAsLong() - BETWEEN_TRIMS.toNanos();
    }

    static MessageEvents none() {
        return new MessageEvents(ConsumerListener.SILENT, null, System::nanoTime);
    }

    /** Records the events of a consumer's messages and notifies the application's listener. */
    public static MessageEvents of(ConsumerSettings settings, Database database, HoldCount holds, WorkerClock clock) {
        ConsumerSettings.Store store = settings.store();
        String entity = settings.application().source().facts().path();
        return before(
                new ContainedListener(settings.hooks().listener(), holds, clock),
                new EventInsert(database, store.schema(), store.consumer(), entity),
                System::nanoTime);
    }

    static MessageEvents before(ConsumerListener next, EventInsert insert, LongSupplier nanoTime) {
        return new MessageEvents(next, insert, nanoTime);
    }

    @Override
    public void received(InboundMessage message) {
        next.received(message);
    }

    @Override
    public void settled(InboundMessage message, Outcome outcome) {
        if (outcome == Outcome.DUPLICATE) {
            note(message, "duplicate", "", "");
        } else if (outcome == Outcome.OTHER_CONTENT) {
            note(
                    message,
                    "duplicate",
                    "OtherContent",
                    "a message with this id and another subject or body was handled");
            others.log(1, OTHERS, message.id() + "'");
        } else if (outcome == Outcome.ABANDONED) {
            note(message, "abandoned", "", "");
        }
        next.settled(message, outcome);
    }

    @Override
    public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        note(message, "failed", FailureText.reason(thrown), FailureText.description(thrown));
        next.failed(message, thrown, kind);
    }

    @Override
    public void lockLost(InboundMessage message) {
        next.lockLost(message);
    }

    @Override
    public void forgotten(Deferral deferral) {
        next.forgotten(deferral);
    }

    @Override
    public void paused(Throwable thrown) {
        next.paused(thrown);
    }

    @Override
    public void resumed() {
        next.resumed();
    }

    /** Records that the message was dead-lettered or dropped. */
    public void gone(InboundMessage message, Outcome outcome, String reason, String description) {
        note(message, outcome == Outcome.DROPPED ? "dropped" : "dead-lettered", reason, description);
    }

    private void note(InboundMessage message, String event, String reason, String description) {
        if (insert == null) {
            return;
        }
        try {
            var what = new What(event, Copy.of(message), EventText.of(reason, 300));
            note(what, EventText.of(description, 2_000));
        } catch (Throwable e) {
            LOG.debug("An event of a message could not be buffered", e);
        }
    }

    // Repeated events of one copy are merged with a count.
    private synchronized void note(What what, String description) {
        long now = nanoTime.getAsLong();
        @Nullable Noted before = noted.get(what);
        if (before == null && noted.size() >= MOST) {
            left++;
            return;
        }
        noted.put(
                what,
                before == null
                        ? new Noted(1, now, now, description)
                        : new Noted(before.times + 1, before.first, now, description));
    }

    /** Writes the buffered events. Never throws. */
    public void flush() {
        Map<What, Noted> events = take();
        if (insert == null || events.isEmpty()) {
            return;
        }
        int refused = write(insert, List.copyOf(events.entrySet()), MOST_REFUSALS);
        warned = warned && refused > 0;
    }

    // Finds an event that the database rejects by bisection, so that the others are written. Returns the number of
    // rejected statements.
    private int write(EventInsert to, List<Map.Entry<What, Noted>> events, int patience) {
        try {
            to.write(events, nanoTime);
            return 0;
        } catch (Throwable e) {
            if (DatabaseErrors.isDatabaseDown(e)) {
                putBack(events);
                return 1;
            }
            if (events.size() == 1 || patience <= 1 || !DatabaseErrors.isRefusedValue(e)) {
                warn(events, e);
                return 1;
            }
        }
        int middle = events.size() / 2;
        int first = write(to, events.subList(0, middle), patience - 1);
        return 1 + first + write(to, events.subList(middle, events.size()), patience - 1 - first);
    }

    private void warn(List<Map.Entry<What, Noted>> events, Throwable thrown) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "{} events of messages could not be recorded; the messages are not affected",
                    events.size(),
                    thrown);
        }
    }

    /** Writes the buffered events, and deletes old ones every five minutes. Never throws. */
    public void turn() {
        flush();
        long now = nanoTime.getAsLong();
        if (now - trimmedAt >= BETWEEN_TRIMS.toNanos()) {
            trimmedAt = now;
            trim();
        }
    }

    private void trim() {
        try {
            if (insert != null) {
                insert.trim();
            }
        } catch (Throwable e) {
            LOG.debug("Old events of messages could not be removed", e);
        }
    }

    private synchronized Map<What, Noted> take() {
        if (left > 0) {
            LOG.info("{} events of messages exceeded the buffer and are not recorded", left);
            left = 0;
        }
        Map<What, Noted> events = noted;
        if (!events.isEmpty()) {
            noted = new LinkedHashMap<>();
        }
        return events;
    }

    private synchronized void putBack(List<Map.Entry<What, Noted>> events) {
        Map<What, Noted> since = noted;
        noted = new LinkedHashMap<>();
        events.forEach(event -> noted.put(event.getKey(), event.getValue()));
        since.forEach((what, more) -> {
            if (noted.containsKey(what) || noted.size() < MOST) {
                noted.merge(what, more, Noted::and);
            } else {
                left++;
            }
        });
    }

    record Copy(String id, @Nullable String session, long sequenceNumber, Instant enqueuedAt, long deliveries) {
        static Copy of(InboundMessage message) {
            return new Copy(
                    EventText.of(message.id(), Integer.MAX_VALUE),
                    message.session()
                            .map(session -> EventText.of(session, Integer.MAX_VALUE))
                            .orElse(null),
                    message.sequenceNumber(),
                    message.enqueuedAt(),
                    message.deliveryCount());
        }
    }

    /** The identity under which repeated events are merged. */
    record What(String event, Copy copy, String reason) {}

    /** Count and times, by this process's monotonic clock. */
    record Noted(int times, long first, long last, String description) {
        Noted and(Noted later) {
            return new Noted(times + later.times, first, later.last, later.description);
        }
    }
}
