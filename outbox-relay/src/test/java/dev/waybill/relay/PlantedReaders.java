package dev.waybill.relay;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Mistakes of readers, one each, of the kind that outboxes are built with. */
final class PlantedReaders {
    private PlantedReaders() {}

    /** No mistake, but each read in full: what was drawn too early is found by the cheap one all the same. */
    static UnaryOperator<OutboxReader> inFull() {
        return Wrapped::new;
    }

    /** The cursor is a watermark: what commits behind it is never looked for. */
    static UnaryOperator<OutboxReader> watermark() {
        return changed(page -> with(page, Map.of(), page.fresh(), page.drawn(), Page.WHOLE));
    }

    /** Only the snapshot's list of running transactions counts, not those above its end. */
    static UnaryOperator<OutboxReader> withoutRangeAboveXmax() {
        return right -> new Wrapped(right) {
            @Override
            public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
                var bounded = new LinkedHashMap<Lane, Cursor>();
                cursors.forEach(
                        (lane, cursor) -> bounded.put(lane, new Cursor(cursor.position(), cursor.snapshot(), 0)));
                return super.read(bounded, limit);
            }
        };
    }

    /** A lane without rows is read up to the end of its partition, whatever may still be drawn there. */
    static UnaryOperator<OutboxReader> beyondWhatIsDrawn() {
        return changed(
                page -> with(page, page.late(), page.fresh(), RingLayout.endAfter(page.drawn()), page.lateCut()));
    }

    /** The page limit cuts the late arrivals off, and the snapshot moves on all the same. */
    static UnaryOperator<OutboxReader> lateCutOffByThePage() {
        return changed(page -> with(page, page.late(), page.fresh(), page.drawn(), Page.WHOLE));
    }

    /** A page that was cut at its bytes is taken for the whole lane. */
    static UnaryOperator<OutboxReader> cutTakenForWhole() {
        return changed(
                page -> new Page(page.sight(), page.late(), page.fresh(), Set.of(), page.lateCut(), page.onlyLate()));
    }

    /** All lanes' late rows are judged by the snapshot of one of them. */
    static UnaryOperator<OutboxReader> lateByOneSnapshot() {
        return right -> new Wrapped(right) {
            @Override
            public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
                String newest = cursors.values().stream()
                        .map(Cursor::snapshot)
                        .max((a, b) -> Long.compare(Snapshot.xmax(a), Snapshot.xmax(b)))
                        .orElseThrow();
                var same = new LinkedHashMap<Lane, Cursor>();
                cursors.forEach(
                        (lane, cursor) -> same.put(lane, new Cursor(cursor.position(), newest, cursor.nextXid())));
                return super.read(same, limit);
            }
        };
    }

    /** Nothing is read that is not older than every running transaction. */
    static UnaryOperator<OutboxReader> xminGate(OutboxFixture outbox) {
        return changed(page -> {
            var seen = outbox.dsl
                    .fetch("select seq from " + outbox.schema.table("outbox_message")
                            + " where xid < pg_snapshot_xmin(pg_current_snapshot())")
                    .getValues(0, Long.class);
            var fresh = new HashMap<Lane, List<OutboxRow>>();
            page.fresh()
                    .forEach((lane, rows) -> fresh.put(
                            lane,
                            rows.stream()
                                    .filter(row -> seen.contains(row.seq()))
                                    .toList()));
            return with(page, Map.of(), fresh, page.drawn(), Page.WHOLE);
        });
    }

    private static Page with(
            Page page, Map<Lane, List<OutboxRow>> late, Map<Lane, List<OutboxRow>> fresh, long drawn, long lateCut) {
        var sight = new Page.Sight(page.snapshot(), drawn, page.holdsDue(), page.changes());
        return new Page(sight, late, fresh, page.more(), lateCut, page.onlyLate());
    }

    private static UnaryOperator<OutboxReader> changed(UnaryOperator<Page> mistake) {
        return right -> new Wrapped(right) {
            @Override
            public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
                return mistake.apply(super.read(cursors, limit));
            }
        };
    }

    /** Takes whatever row is not locked, marks nothing, orders nothing: one claim of what most outboxes do. */
    static String claimUnlocked(OutboxFixture outbox, java.sql.Connection tx) {
        return DSL.using(tx)
                .fetchSingle("select message_id from " + outbox.schema.table("outbox_message")
                        + " order by seq limit 1 for update skip locked")
                .get(0, String.class);
    }

    /** A reader that reads in full each time, so that nothing hides a mistake made there. */
    static class Wrapped implements OutboxReader {
        private final OutboxReader right;

        Wrapped(OutboxReader right) {
            this.right = right;
        }

        @Override
        public Map<Lane, Cursor> start(Collection<Lane> lanes) {
            return right.start(lanes);
        }

        @Override
        public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
            return right.read(cursors, limit);
        }

        @Override
        public Page readMoreLate(Map<Lane, Cursor> cursors, Page cut, PageLimit limit) {
            return right.readMoreLate(cursors, cut, limit);
        }

        @Override
        public @Nullable Page readHead(Map<Lane, Cursor> cursors, PageLimit limit) {
            return null;
        }

        @Override
        public void recorded(Cursor cursor) {
            right.recorded(cursor);
        }

        @Override
        public Peek peek() {
            return right.peek();
        }
    }
}
