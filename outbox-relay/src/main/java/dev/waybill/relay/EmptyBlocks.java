package dev.waybill.relay;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lets lanes go over blocks in which they have nothing, where the sequence has come far, as by a {@code setval} to a round number.
 * A page reads one block of a lane, so a lane would read each of them, and send nothing behind them meanwhile.
 *
 * <p>The question comes after the page's own statement, on the same server, and sees all that the page has seen and more. So
 * where it sees nothing, the page would have seen nothing either. A commit in between only makes a lane stop earlier.
 */
final class EmptyBlocks {
    /** Blocks that lanes go through one by one: a ring of them, so that no usual backlog is asked about. */
    private static final long FEW = RingLayout.SLOTS;

    private final LoopConnection connection;
    private final String next;

    EmptyBlocks(LoopConnection connection, ReadSql sql) {
        this.connection = connection;
        next = sql.next();
    }

    /** The page, whose lanes reach further where there is nothing for many blocks. */
    Page over(Page page, Map<Lane, Cursor> cursors) {
        if (page.isPaused() || page.isLateCut()) {
            return page;
        }
        long newest = RingLayout.of(page.drawn());
        List<Lane> behind = cursors.entrySet().stream()
                .filter(entry -> newest - RingLayout.after(entry.getValue().position()) > FEW)
                .map(Map.Entry::getKey)
                .filter(lane -> !page.more().contains(lane))
                .toList();
        return behind.isEmpty() ? page : page.emptyUntil(ends(behind, cursors));
    }

    // Never prepared, because a plan that is kept may be of partitions that were empty then.
    private Map<Lane, Long> ends(List<Lane> lanes, Map<Lane, Cursor> cursors) {
        var ends = new HashMap<Lane, Long>();
        connection
                .dsl()
                .fetch(
                        next,
                        inline(lanes.get(0).destination()),
                        inline(lanes.stream().map(Lane::bucket).toArray(Short[]::new)),
                        inline(lanes.stream()
                                .map(lane -> blockEnd(lane, cursors))
                                .toArray(Long[]::new)),
                        val(connection.token()))
                .forEach(row -> {
                    Sighting.requireSame(Boolean.TRUE.equals(row.get("same", Boolean.class)));
                    @Nullable Long seq = row.get("seq", Long.class);
                    ends.put(lanes.get(row.get("lane", Integer.class)), seq == null ? Long.MAX_VALUE : seq - 1);
                });
        return ends;
    }

    private static long blockEnd(Lane lane, Map<Lane, Cursor> cursors) {
        return RingLayout.endAfter(Objects.requireNonNull(cursors.get(lane)).position());
    }
}
