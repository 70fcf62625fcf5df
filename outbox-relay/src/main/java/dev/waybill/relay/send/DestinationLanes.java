package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
import dev.waybill.message.BrokerNames;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.read.ReadResult.ReadRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The relay's memory of one destination. A row is in one place at a time:
 *
 * <pre>
 *   read ──▶ queue of its lane ──▶ in flight ──accepted──▶ accepted ──settle──▶ gone
 *    │             ▲                    │
 *    │             ├───not accepted─────┤
 *    │             └──── suspects ◀─────┤ refused alone without a known reason, with later rows of its session
 *    └──session held──▶ blocked ◀───────┴──refused, with later rows of its session
 *                          └──settle──▶ in the hold
 * </pre>
 *
 * <p>Once a row of a session is blocked, all later rows of the session are blocked too. Confined to the loop's thread.
 */
public final class DestinationLanes {
    /** The database hashes sessions to lanes. */
    public static final int COUNT = 32;

    private final HoldPolicy policy;
    private final Lane[] lanes =
            IntStream.range(0, COUNT).mapToObj(i -> new Lane()).toArray(Lane[]::new);
    private final TreeMap<Long, Long> weights = new TreeMap<>();
    private final Map<Long, RowKey> accepted = new LinkedHashMap<>();
    private final TreeMap<Long, Blocked> blocked = new TreeMap<>();
    private final Set<String> blockedSessions = new HashSet<>();
    private final LongSupplier nanoTime;
    private boolean abandoned;
    private long bytes;

    /** How many rows the destination has accepted. */
    private long acceptances;

    public DestinationLanes(HoldPolicy policy, LongSupplier nanoTime) {
        this.policy = policy;
        this.nanoTime = nanoTime;
    }

    public void take(ReadRow read) {
        OutboxRow row = read.row();
        weights.put(row.seq(), row.weight());
        bytes += row.weight();
        if (row.held() || isBlocked(row)) {
            block(Blocked.joining(row));
        } else {
            lanes[read.lane()].add(row);
        }
    }

    private boolean isBlocked(OutboxRow row) {
        return row.sessionId() != null && blockedSessions.contains(row.sessionKey());
    }

    private void block(Blocked row) {
        blocked.put(row.key().seq(), row);
        blockSession(row);
    }

    private void blockSession(Blocked row) {
        blocksSession(row).ifPresent(blockedSessions::add);
    }

    private static Optional<String> blocksSession(Blocked row) {
        return row.alone() ? Optional.empty() : Optional.ofNullable(BrokerNames.keyOrNull(row.session()));
    }

    /** One batch for each lane that has rows and nothing in flight. */
    public List<Batch> begin(int mostRows, long mostBytes) {
        var batches = new ArrayList<Batch>();
        long now = nanoTime.getAsLong();
        for (int i = 0; i < COUNT; i++) {
            if (lanes[i].isReady(now)) {
                batches.add(lanes[i].begin(i, mostRows, mostBytes, now));
            }
        }
        return batches;
    }

    /** The oldest row of all lanes, alone; a suspect last. By age, so that a lane that is never empty does not block the others. */
    public List<Batch> beginOne() {
        long now = nanoTime.getAsLong();
        return IntStream.range(0, COUNT)
                .filter(i -> lanes[i].isReady(now))
                .boxed()
                .min(Comparator.comparing(i -> lanes[i].first()))
                .map(i -> lanes[i].beginOne(i, now))
                .stream()
                .toList();
    }

    /** Collects a result; returns the number of accepted rows. */
    public int collect(Batch batch, PublishResult result) {
        Lane lane = lanes[batch.lane()];
        if (!lane.end(batch)) {
            return 0;
        }
        List<OutboxRow> rows = batch.rows();
        rows.subList(0, result.accepted()).forEach(row -> accepted.put(row.seq(), RowKey.of(row)));
        acceptances += result.accepted();
        List<OutboxRow> rest = rows.subList(result.accepted(), rows.size());
        @Nullable Suspect suspect = lane.takeRetried();
        if (abandoned) {
            rest.forEach(row -> forget(row.seq()));
        } else if (suspect != null) {
            retried(lane, suspect, result);
        } else {
            putBack(lane, rest, result);
        }
        return result.accepted();
    }

    private void putBack(Lane lane, List<OutboxRow> rest, PublishResult result) {
        boolean suspicious = lane.isSuspicious(result, acceptances);
        lane.returned(result.accepted());
        if (result.outcome() == Outcome.MESSAGE_REFUSED) {
            refuse(lane, rest, SendFailure.causeOf(result.failure()));
        } else if (suspicious && rest.size() == 1) {
            lane.returned(1);
            setAside(lane, rest.get(0));
        } else {
            lane.putBack(rest);
            lane.sendAlone(suspicious ? rest.size() : 0);
        }
    }

    private void setAside(Lane lane, OutboxRow row) {
        var rows = new ArrayList<OutboxRow>(List.of(row));
        @Nullable String session = row.sessionKey();
        if (session != null) {
            rows.addAll(lane.remove(session));
        }
        lane.setAside(new Suspect(rows, acceptances, nanoTime.getAsLong()));
    }

    // A suspect stays aside until it is accepted, or refused for a reason, or at fault.
    private void retried(Lane lane, Suspect suspect, PublishResult result) {
        boolean failed = result.outcome() == Outcome.UNEXPLAINED || result.outcome() == Outcome.UNAVAILABLE;
        if (failed) {
            suspect.strike(acceptances, nanoTime.getAsLong());
        }
        boolean isAtFault = failed && suspect.isAtFault(acceptances, suspects());
        boolean isRefused = result.outcome() == Outcome.MESSAGE_REFUSED;
        if (result.accepted() > 0) {
            lane.restore(suspect);
            lane.take();
        } else if (isAtFault || isRefused) {
            lane.restore(suspect);
            refuse(
                    lane,
                    List.of(lane.take()),
                    isRefused ? SendFailure.causeOf(result.failure()) : suspect.cause(result.failure(), acceptances));
        }
    }

    private int suspects() {
        int count = 0;
        for (Lane lane : lanes) {
            count += lane.suspects();
        }
        return count;
    }

    /** Blocks the first row of a batch that was not sent, because it crashes the process. */
    public void refuseFirst(Batch batch, Cause cause) {
        Lane lane = lanes[batch.lane()];
        if (lane.end(batch)) {
            @Nullable Suspect suspect = lane.takeRetried();
            if (suspect != null) {
                lane.restore(suspect);
                lane.take();
            }
            refuse(lane, batch.rows(), cause);
        }
    }

    private void refuse(Lane lane, List<OutboxRow> rest, Cause cause) {
        OutboxRow refused = rest.get(0);
        String session = refused.sessionKey();
        boolean alone = policy == HoldPolicy.HOLD_MESSAGE || session == null;
        lane.putBack(rest.subList(1, rest.size()));
        block(Blocked.refused(refused, alone, cause));
        if (session != null && !alone) {
            lane.remove(session).forEach(row -> block(Blocked.joining(row)));
        }
    }

    /** The oldest accepted rows. */
    public List<RowKey> accepted(int most) {
        return accepted.values().stream().limit(most).toList();
    }

    /** These rows are deleted. */
    public void deleted(Collection<RowKey> rows) {
        rows.forEach(row -> {
            accepted.remove(row.seq());
            forget(row.seq());
        });
    }

    /** The oldest blocked rows. */
    public List<Blocked> blocked(int most) {
        return blocked.values().stream().limit(most).toList();
    }

    /**
     * Removes rows that have moved to their holds, or could not because the hold has ended. In the latter case all blocked rows
     * of the session are dropped, to be read again in order. Returns the lowest dropped value, or {@link Long#MAX_VALUE} if all
     * have {@code moved}.
     */
    public long unblocked(Collection<Blocked> rows, Set<Long> moved) {
        var ended = new HashSet<String>();
        long lowest = Long.MAX_VALUE;
        for (Blocked row : rows) {
            unblock(row);
            if (!moved.contains(row.key().seq())) {
                lowest = Math.min(lowest, row.key().seq());
                blocksSession(row).ifPresent(ended::add);
            }
        }
        for (Blocked row : List.copyOf(blocked.values())) {
            if (blocksSession(row).filter(ended::contains).isPresent()) {
                unblock(row);
                lowest = Math.min(lowest, row.key().seq());
            }
        }
        blockedSessions.clear();
        blocked.values().forEach(this::blockSession);
        return lowest;
    }

    private void unblock(Blocked row) {
        blocked.remove(row.key().seq());
        forget(row.key().seq());
    }

    /**
     * Another server runs the database: drops pending rows, and accepts no new ones until sends in flight have returned and
     * memory is {@linkplain #isEmpty empty}.
     */
    public void abandon() {
        abandoned = true;
        for (Lane lane : lanes) {
            lane.clear().forEach(row -> forget(row.seq()));
        }
        blocked.keySet().forEach(this::forget);
        blocked.clear();
        blockedSessions.clear();
    }

    private void forget(long seq) {
        Long weight = weights.remove(seq);
        bytes -= weight == null ? 0 : weight;
    }

    /** Whether rows may be added: not while rows of another server are in flight. */
    public boolean mayRead() {
        abandoned &= !weights.isEmpty();
        return !abandoned;
    }

    public boolean isEmpty() {
        return weights.isEmpty();
    }

    public boolean isSending() {
        for (Lane lane : lanes) {
            if (lane.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a row may be sent; a suspect waits for its next attempt. */
    public boolean isWaiting() {
        long now = nanoTime.getAsLong();
        for (Lane lane : lanes) {
            if (lane.isWaiting(now)) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing is in flight or waits for a settle. */
    public boolean isSettled() {
        return accepted.isEmpty() && !isSending();
    }

    public int acceptedCount() {
        return accepted.size();
    }

    public boolean hasBlocked() {
        return !blocked.isEmpty();
    }

    public Set<Long> valuesAbove(long floor) {
        return weights.tailMap(floor, false).keySet();
    }

    /** The lowest value in memory, or {@link Long#MAX_VALUE}. */
    public long lowest() {
        return weights.isEmpty() ? Long.MAX_VALUE : weights.firstKey();
    }

    public int rows() {
        return weights.size();
    }

    public long bytes() {
        return bytes;
    }

    /** Bit n: lane n is full. */
    public int fullLanes() {
        int mask = 0;
        for (int i = 0; i < COUNT; i++) {
            mask |= lanes[i].isFull() ? 1 << i : 0;
        }
        return mask;
    }
}
