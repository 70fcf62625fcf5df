package dev.waybill.relay.loop;

import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.read.Floors;
import dev.waybill.relay.read.Floors.Verdict;
import dev.waybill.relay.read.LogFlush;
import dev.waybill.relay.read.OutboxReader;
import dev.waybill.relay.read.ReadHeader.DestinationState;
import dev.waybill.relay.read.ReadRequest;
import dev.waybill.relay.read.ReadRequest.Asked;
import dev.waybill.relay.read.ReadResult;
import dev.waybill.relay.read.ReadResult.Rows;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads pending rows into the lanes of due destinations. Confined to the loop's thread. */
final class Reading {
    private final OutboxReader reader;
    private final LogFlush log;
    private final Floors floors;
    private final LongSupplier nanoTime;
    private final ReadPace pace;
    private long lastValue;
    private boolean heldDue;

    Reading(LoopConnection connection, SchemaName schema, Duration pollInterval, LongSupplier nanoTime) {
        reader = new OutboxReader(connection, schema);
        log = new LogFlush(connection);
        floors = new Floors(nanoTime);
        this.nanoTime = nanoTime;
        pace = new ReadPace(pollInterval, nanoTime.getAsLong());
    }

    Floors floors() {
        return floors;
    }

    ReadPace pace() {
        return pace;
    }

    /** The sequence's last value, from the last read. */
    long lastValue() {
        return lastValue;
    }

    /** Whether the last read found a due hold. */
    boolean isHeldDue() {
        return heldDue;
    }

    /** {@code polled} are destinations with room, or that must not be read now. */
    record Question(ReadRequest request, Map<Destination, Owned> asked, Set<Destination> polled) {}

    /** @param took how long the database was busy, in nanoseconds */
    record Answer(ReadResult result, long took) {}

    /**
     * @param more whether more rows may be pending, so that the next read follows at once
     * @param otherServer whether all memory was dropped: another server runs the database, or its sequence went back
     */
    record Found(Set<Destination> destinations, boolean more, boolean otherServer) {
        private static final Found OTHER_SERVER = new Found(Set.of(), false, true);
        private static final Found REPEAT = new Found(Set.of(), true, false);

        boolean isRepeated() {
            return more && destinations.isEmpty();
        }
    }

    /** Builds a request for due destinations. Excludes values in memory above the floors. */
    Question ask(UUID relay, Collection<Destination> due, Memory part) {
        var values = new ArrayList<Long>();
        var questions = new ArrayList<Asked>();
        var asked = new LinkedHashMap<Destination, Owned>();
        var polled = new HashSet<Destination>();
        for (Destination destination : due) {
            Owned owned = destination.mine();
            boolean reads = owned.isServed() && owned.lanes().mayRead();
            int rows = reads ? part.room(owned.lanes()) : 0;
            if (rows > 0 || !reads) {
                polled.add(destination);
            }
            long floor = floors.of(destination.name());
            questions.add(
                    new Asked(destination.name(), floor, rows, owned.lanes().fullLanes()));
            asked.put(destination, owned);
            values.addAll(owned.lanes().valuesAbove(floor));
        }
        return new Question(new ReadRequest(relay, questions, values, part.bytes() / 4), asked, polled);
    }

    /** Reads once and waits until the rows' commits are on the server's disk. Runs on the connection's thread. */
    Answer fetch(Question question) {
        long begunAt = nanoTime.getAsLong();
        ReadResult result = reader.read(question.request());
        long took = nanoTime.getAsLong() - begunAt;
        @Nullable String unflushed = result.header().unflushed();
        if (unflushed != null && !result.rows().isEmpty()) {
            log.await(unflushed);
        }
        return new Answer(result, took);
    }

    /** Moves rows into the lanes, unless the read must be repeated. {@code owned} are all owned destinations. */
    Found accept(Question question, ReadResult result, Collection<Destination> owned) {
        Verdict verdict = floors.accept(result.header());
        if (verdict == Verdict.REPEAT) {
            // All floors are now below the rows of the slow transaction, so the next read is complete.
            return Found.REPEAT;
        }
        lastValue = result.header().lastValue();
        heldDue = result.header().heldDue();
        if (verdict == Verdict.OTHER_SERVER) {
            owned.forEach(destination -> destination.mine().lanes().abandon());
            return Found.OTHER_SERVER;
        }
        return take(question, result);
    }

    private Found take(Question question, ReadResult result) {
        long closed = floors.closedValue(result.header().snapshot());
        var states = result.header().destinations().iterator();
        var parts = question.request().asked().iterator();
        var found = new HashSet<Destination>();
        boolean more = false;
        for (var asked : question.asked().entrySet()) {
            Owned owned = asked.getValue();
            DestinationState state = states.next();
            Asked part = parts.next();
            @Nullable Rows rows = result.rows().get(part.destination());
            boolean wasOpen = owned.isOpen();
            if (asked.getKey().owned() == owned && follow(owned, state)) {
                if (!wasOpen) {
                    // Resumed: this read excluded its rows, so the next one follows at once.
                    found.add(asked.getKey());
                }
                if (part.rows() > 0) {
                    take(owned, part, rows, closed);
                }
                if (rows != null) {
                    found.add(asked.getKey());
                    more |= rows.cut();
                }
            }
        }
        return new Found(found, more, false);
    }

    // Ignores rows of a destination that was paused or lost meanwhile.
    private static boolean follow(Owned owned, DestinationState state) {
        if (state.epoch() != owned.epoch()) {
            owned.lose();
            return false;
        }
        owned.open(state.open());
        return state.open();
    }

    // A floor that fell back during the read stays, because the read did not cover that range.
    private void take(Owned owned, Asked part, @Nullable Rows found, long closed) {
        long lastRead = Long.MAX_VALUE;
        if (found != null) {
            found.rows().forEach(owned.lanes()::take);
            lastRead = found.cut() ? found.last() : lastRead;
        }
        owned.isolation().read(lastValue);
        if (part.fullLanes() == 0 && floors.of(owned.destination()) == part.floor()) {
            floors.raise(owned.destination(), closed, lastRead);
        }
    }
}
