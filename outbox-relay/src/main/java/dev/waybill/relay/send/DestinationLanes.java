package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
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
import java.util.stream.IntStream;

/**
 * What the relay has in memory of one destination. A row is in one place at a time:
 *
 * <pre>
 *   read ──▶ queue of its lane ──▶ in flight ──accepted──▶ accepted ──settle──▶ gone
 *    │            ▲                   │
 *    │            └───not accepted────┤
 *    └──session held──▶ blocked ◀──refused, and its session's rows behind it
 *                          └──settle──▶ in the hold
 * </pre>
 *
 * <p>A session with a blocked row sends nothing: rows that are read meanwhile are blocked behind it, whatever the read has shown of
 * its hold. Confined to the loop's thread.
 */
public final class DestinationLanes {
    /** How many lanes; a lane is a hash of the session, by the database. */
    public static final int COUNT = 32;

    private final HoldPolicy policy;
    private final Lane[] lanes =
            IntStream.range(0, COUNT).mapToObj(i -> new Lane()).toArray(Lane[]::new);
    private final TreeMap<Long, Long> weights = new TreeMap<>();
    private final Map<Long, RowKey> accepted = new LinkedHashMap<>();
    private final TreeMap<Long, Blocked> blocked = new TreeMap<>();
    private final Set<String> blockedSessions = new HashSet<>();
    private boolean abandoned;
    private long bytes;

    /** @param policy decides about the rest of a session when one of its messages is refused */
    public DestinationLanes(HoldPolicy policy) {
        this.policy = policy;
    }

    /** Takes a row that was read. */
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
        return row.sessionId() != null && blockedSessions.contains(row.sessionId());
    }

    private void block(Blocked row) {
        blocked.put(row.key().seq(), row);
        blockSession(row);
    }

    private void blockSession(Blocked row) {
        blocksSession(row).ifPresent(blockedSessions::add);
    }

    private static Optional<String> blocksSession(Blocked row) {
        return row.alone() ? Optional.empty() : Optional.ofNullable(row.session());
    }

    /** The batches that may begin now: one for each lane that has rows and nothing in flight. */
    public List<Batch> begin(int mostRows, long mostBytes) {
        var batches = new ArrayList<Batch>();
        for (int i = 0; i < COUNT; i++) {
            if (lanes[i].isReady()) {
                batches.add(lanes[i].begin(i, mostRows, mostBytes));
            }
        }
        return batches;
    }

    /** The oldest row alone; none if no lane has one. By age, because a lane that is never empty would keep all others waiting. */
    public List<Batch> beginOne() {
        return IntStream.range(0, COUNT)
                .filter(i -> lanes[i].isReady())
                .boxed()
                .min(Comparator.comparing(i -> lanes[i].first()))
                .map(i -> lanes[i].begin(i, 1, 0))
                .stream()
                .toList();
    }

    /**
     * A batch has come back.
     *
     * @return how many of its rows the broker has accepted
     */
    public int land(Batch batch, PublishResult result) {
        Lane lane = lanes[batch.lane()];
        if (!lane.end(batch)) {
            return 0;
        }
        List<OutboxRow> rows = batch.rows();
        rows.subList(0, result.accepted()).forEach(row -> accepted.put(row.seq(), RowKey.of(row)));
        List<OutboxRow> rest = rows.subList(result.accepted(), rows.size());
        if (abandoned) {
            rest.forEach(row -> forget(row.seq()));
        } else if (result.outcome() == Outcome.MESSAGE_REFUSED) {
            refuse(lane, rest, SendFailure.causeOf(result.failure()));
        } else {
            lane.putBack(rest);
        }
        return result.accepted();
    }

    /** Blocks the first row of a batch, which is not sent: it ends the process that touches it. */
    public void refuseFirst(Batch batch, Cause cause) {
        Lane lane = lanes[batch.lane()];
        if (lane.end(batch)) {
            refuse(lane, batch.rows(), cause);
        }
    }

    private void refuse(Lane lane, List<OutboxRow> rest, Cause cause) {
        OutboxRow refused = rest.get(0);
        String session = refused.sessionId();
        boolean alone = policy == HoldPolicy.HOLD_MESSAGE || session == null;
        lane.putBack(rest.subList(1, rest.size()));
        block(Blocked.refused(refused, alone, cause));
        if (session != null && !alone) {
            lane.remove(session).forEach(row -> block(Blocked.joining(row)));
        }
    }

    /** The oldest accepted rows, to be deleted. */
    public List<RowKey> accepted(int most) {
        return accepted.values().stream().limit(most).toList();
    }

    /** These are deleted, or were not there any more. */
    public void deleted(Collection<RowKey> rows) {
        rows.forEach(row -> {
            accepted.remove(row.seq());
            forget(row.seq());
        });
    }

    /** The oldest rows that are to move to holds. */
    public List<Blocked> blocked(int most) {
        return blocked.values().stream().limit(most).toList();
    }

    /**
     * These have moved to their holds, or could not. If a row of a session could not, its hold has ended: all blocked rows of the
     * session are dropped with it, also those that were not among these. Dropped one by one, each would be read again behind
     * those that are left, and be blocked by them.
     *
     * @param moved the values of those that have moved
     * @return the lowest value that was dropped, to be read again; {@link Long#MAX_VALUE} if all have moved
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
     * The database is another one: what has not gone out is dropped, what has not come back will be, and nothing is taken until memory
     * is {@linkplain #isEmpty empty}.
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

    /** Whether rows may be taken: not while rows from before another server took over are under way. */
    public boolean mayRead() {
        abandoned &= !weights.isEmpty();
        return !abandoned;
    }

    /** Whether nothing is in memory. */
    public boolean isEmpty() {
        return weights.isEmpty();
    }

    /** Whether some batch is under way. */
    public boolean isSending() {
        for (Lane lane : lanes) {
            if (lane.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Whether some row waits to be sent, and is not under way. */
    public boolean isWaiting() {
        for (Lane lane : lanes) {
            if (lane.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing is under way, and nothing waits to be deleted. */
    public boolean isSettled() {
        return accepted.isEmpty() && !isSending();
    }

    /** How many rows wait to be deleted. */
    public int acceptedCount() {
        return accepted.size();
    }

    /** Whether something waits to move to a hold. */
    public boolean hasBlocked() {
        return !blocked.isEmpty();
    }

    /** The values of rows in memory that are above this one. */
    public Set<Long> valuesAbove(long floor) {
        return weights.tailMap(floor, false).keySet();
    }

    /** The lowest value in memory; {@link Long#MAX_VALUE} if there is none. */
    public long lowest() {
        return weights.isEmpty() ? Long.MAX_VALUE : weights.firstKey();
    }

    /** How many rows are in memory. */
    public int rows() {
        return weights.size();
    }

    /** How many bytes they weigh. */
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
