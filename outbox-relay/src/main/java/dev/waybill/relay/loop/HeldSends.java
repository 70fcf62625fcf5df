package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.Attempts.Limits;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldSide;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.SendFailure;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;

/**
 * Sends messages of due holds, several holds at once, each in order. New rows of a held session join the hold until it is
 * empty, so they cannot overtake. Each attempt is recorded before it sends: until it ends, operators cannot skip or edit, and
 * no successor sends from the hold. Confined to the loop's thread.
 */
final class HeldSends {
    private static final int HOLDS_AT_ONCE = 16;
    private static final int MESSAGES_AT_ONCE = 100;
    private static final long BYTES_AT_ONCE = 4L << 20;
    private static final long INTERVAL = Duration.ofMillis(250).toNanos();

    /** So that a message that always fails does not cost every turn time. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    private final DSLContext dsl;
    private final SqlFiles sql;
    private final Set<String> retained;
    private final Attempts attempts;
    private final Time time;
    private final LongSupplier nanoTime;
    private final Runnable onResult;
    private final Queue<Sent> results = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private long begunAt;

    /** @param retained destinations whose published messages are retained */
    HeldSends(
            DSLContext dsl,
            SchemaName schema,
            Set<String> retained,
            Time time,
            LongSupplier nanoTime,
            Runnable onResult) {
        this.dsl = dsl;
        sql = new SqlFiles(HeldSends.class, schema);
        this.retained = Set.copyOf(retained);
        this.attempts = Attempts.in(schema, HoldSide.OUTBOX);
        this.time = time;
        this.nanoTime = nanoTime;
        this.onResult = onResult;
        begunAt = nanoTime.getAsLong() - INTERVAL;
    }

    /** How long sends may start, and when no send can be in flight any more. */
    record Time(Duration mayStart, Duration whole) {
        static Time of(Duration leaseDuration, Duration longestSend) {
            return new Time(leaseDuration.dividedBy(2), leaseDuration.plus(longestSend));
        }
    }

    private record Sent(Destination destination, Attempt attempt, PublishResult result) {}

    boolean isQuiet(Destination destination) {
        return inFlight.getOrDefault(destination.name(), 0) == 0;
    }

    boolean isQuiet() {
        return inFlight.values().stream().allMatch(count -> count == 0);
    }

    /** Settles finished attempts and begins due ones. */
    void step(Collection<Destination> owned, boolean due) {
        for (Sent back = results.poll(); back != null; back = results.poll()) {
            inFlight.merge(back.destination().name(), -1, Integer::sum);
            settle(back);
        }
        if (due && nanoTime.getAsLong() - begunAt >= INTERVAL) {
            begunAt = nanoTime.getAsLong();
            owned.stream()
                    .filter(destination -> destination.mine().isServed()
                            && !destination.mine().isolation().isActive()
                            && destination.backOff().isZero())
                    .forEach(this::begin);
        }
    }

    private void begin(Destination destination) {
        Owned owned = destination.mine();
        long end = nanoTime.getAsLong() + time.mayStart().toNanos();
        for (Attempt attempt : attempts(owned)) {
            inFlight.merge(destination.name(), 1, Integer::sum);
            List<OutboxRow> rows =
                    attempt.messages().stream().map(OutboxRow::of).toList();
            var unused = destination
                    .sender()
                    .send(
                            rows,
                            () -> owned.isServed() && nanoTime.getAsLong() - end < 0,
                            owned.claim().entity())
                    .thenAccept(result -> {
                        results.add(new Sent(destination, attempt, result));
                        onResult.run();
                    });
        }
    }

    // Locks the destination until the commit, so that a successor sees every running attempt.
    private List<Attempt> attempts(Owned owned) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            boolean ours = !tx.dsl()
                    .fetch(sql.get("attempt-owner"), val(owned.destination()), val(owned.epoch()))
                    .isEmpty();
            return ours
                    ? attempts.begin(
                            tx.dsl(),
                            condition("destination = {0}", val(owned.destination())),
                            new Limits(HOLDS_AT_ONCE, MESSAGES_AT_ONCE, BYTES_AT_ONCE, time.whole()))
                    : List.of();
        });
    }

    private void settle(Sent back) {
        PublishResult result = back.result();
        var published = back.attempt().messages().subList(0, result.accepted());
        boolean refused = result.outcome() == Outcome.MESSAGE_REFUSED || result.outcome() == Outcome.UNEXPLAINED;
        AttemptResult ending = refused
                ? AttemptResult.parked(SendFailure.causeOf(result.failure()))
                : AttemptResult.interrupted(result.failure() == null ? Duration.ZERO : AFTER_FAILURE);
        dsl.transaction(tx -> {
            keep(tx.dsl(), back, published);
            attempts.settle(tx.dsl(), back.attempt(), published, ending);
        });
        back.destination().log().released(published.size());
        back.destination().published(published.size());
    }

    private void keep(DSLContext tx, Sent back, List<HeldMessage> published) {
        if (!published.isEmpty() && retained.contains(back.destination().name())) {
            tx.execute(
                    sql.get("held-keep"),
                    val(back.attempt().holdId()),
                    val(back.attempt().token()),
                    val(published.stream().map(HeldMessage::place).toArray(Long[]::new)));
        }
    }
}
