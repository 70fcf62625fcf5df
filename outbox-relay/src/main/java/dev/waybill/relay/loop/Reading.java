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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads what waits into the lanes of the destinations that are due. Confined to the loop's thread. */
final class Reading {
    private final OutboxReader reader;
    private final LogFlush log;
    private final Floors floors;
    private long lastValue;
    private boolean heldDue;

    Reading(LoopConnection connection, SchemaName schema, LongSupplier nanoTime) {
        reader = new OutboxReader(connection, schema);
        log = new LogFlush(connection);
        floors = new Floors(nanoTime);
    }

    Floors floors() {
        return floors;
    }

    /** The sequence's last value as the last read has returned it. */
    long lastValue() {
        return lastValue;
    }

    /** Whether the last read has found a hold that is due for an attempt. */
    boolean isHeldDue() {
        return heldDue;
    }

    /**
     * What a read found.
     *
     * @param destinations those that had rows
     * @param more whether one of them may have more
     */
    record Found(Set<String> destinations, boolean more) {}

    /**
     * Reads once.
     *
     * @param due the destinations that are asked
     * @param all all that the relay owns
     */
    Found read(UUID relay, Collection<Destination> due, Collection<Destination> all, Memory part) {
        Map<String, Asked> asked = new HashMap<>();
        ReadResult result = ask(relay, due, all, part, asked);
        Verdict verdict = floors.accept(result.header());
        if (verdict == Verdict.REPEAT) {
            // All floors are below whatever a slow transaction has brought, so the second read is whole.
            result = ask(relay, due, all, part, asked);
            verdict = floors.accept(result.header());
        }
        lastValue = result.header().lastValue();
        heldDue = result.header().heldDue();
        if (verdict == Verdict.OTHER_SERVER) {
            all.forEach(destination -> destination.mine().lanes().abandon());
            return new Found(Set.of(), false);
        }
        return take(result, due, asked);
    }

    private ReadResult ask(
            UUID relay,
            Collection<Destination> due,
            Collection<Destination> all,
            Memory part,
            Map<String, Asked> asked) {
        var values = new ArrayList<Long>();
        all.forEach(destination -> values.addAll(destination.mine().lanes().values()));
        List<Asked> questions = new ArrayList<>();
        for (Destination destination : due) {
            Owned owned = destination.mine();
            boolean reads = owned.isServed() && owned.lanes().mayRead();
            int rows = reads ? part.room(owned.lanes()) : 0;
            var question = new Asked(
                    destination.name(),
                    floors.of(destination.name()),
                    rows,
                    owned.lanes().fullLanes());
            questions.add(question);
            asked.put(destination.name(), question);
        }
        return reader.read(new ReadRequest(relay, questions, values, part.bytes() / 4));
    }

    private Found take(ReadResult result, Collection<Destination> due, Map<String, Asked> asked) {
        if (!result.rows().isEmpty()) {
            log.await(result.header().walPosition());
        }
        var states = new HashMap<String, DestinationState>();
        result.header().destinations().forEach(state -> states.put(state.destination(), state));
        long closed = floors.closedValue(result.header().snapshot());
        var found = new HashSet<String>();
        boolean more = false;
        for (Destination destination : due) {
            Owned owned = destination.mine();
            if (!follow(owned, states.get(destination.name()))) {
                continue;
            }
            Asked question = asked.get(destination.name());
            @Nullable Rows rows = result.rows().get(destination.name());
            if (question != null && question.rows() > 0) {
                take(owned, question, rows, closed);
            }
            if (rows != null) {
                found.add(destination.name());
                more |= rows.cut();
            }
        }
        return new Found(found, more);
    }

    // Rows of a destination that was paused meanwhile, or that another relay owns, are left where they are.
    private static boolean follow(Owned owned, @Nullable DestinationState state) {
        if (state == null || state.epoch() != owned.epoch()) {
            owned.lose();
            return false;
        }
        owned.open(state.open());
        return state.open();
    }

    private void take(Owned owned, Asked question, @Nullable Rows found, long closed) {
        long lastRead = Long.MAX_VALUE;
        if (found != null) {
            found.rows().forEach(owned.lanes()::take);
            lastRead = found.cut() ? found.last() : lastRead;
        }
        owned.caution().read(lastValue);
        if (question.fullLanes() == 0) {
            floors.raise(owned.destination(), closed, lastRead, owned.lanes().lowest());
        }
    }
}
