package dev.waybill.relay;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jooq.impl.DSL;

/** Readers with one mistake each, of the kind that outboxes are built with. */
final class PlantedReaders {
    private PlantedReaders() {}

    /** The cursor is a watermark: what commits behind it is never looked for. */
    static OutboxReader watermark(OutboxFixture outbox) {
        return changed(outbox, page -> new Page(page.snapshot(), page.drawn(), Map.of(), page.fresh(), 0, false));
    }

    /** Only the snapshot's list of running transactions counts, not those above its end. */
    static OutboxReader withoutRangeAboveXmax(OutboxFixture outbox) {
        OutboxReader right = outbox.reader();
        return new OutboxReader() {
            @Override
            public Map<Lane, Cursor> start(Collection<Lane> lanes) {
                return right.start(lanes);
            }

            @Override
            public Page read(Map<Lane, Cursor> cursors, int limit) {
                cursors.replaceAll((lane, cursor) -> new Cursor(cursor.position(), cursor.snapshot(), 0));
                return right.read(cursors, limit);
            }

            @Override
            public Page readMoreLate(Map<Lane, Cursor> cursors, Page page, long afterSeq, int limit) {
                return right.readMoreLate(cursors, page, afterSeq, limit);
            }
        };
    }

    /** A lane without rows is read up to the end of its partition, whatever may still be drawn there. */
    static OutboxReader beyondWhatIsDrawn(OutboxFixture outbox) {
        return changed(
                outbox,
                page -> new Page(
                        page.snapshot(),
                        Block.endAfter(page.drawn()),
                        page.late(),
                        page.fresh(),
                        page.lastLate(),
                        page.moreLate()));
    }

    /** The page limit cuts the late arrivals off, and the snapshot moves on all the same. */
    static OutboxReader lateCutOffByThePage(OutboxFixture outbox) {
        return changed(
                outbox,
                page -> new Page(page.snapshot(), page.drawn(), page.late(), page.fresh(), page.lastLate(), false));
    }

    /** Nothing is read that is not older than every running transaction. */
    static OutboxReader xminGate(OutboxFixture outbox) {
        return changed(outbox, page -> {
            var seen = outbox.dsl
                    .fetch("select seq from " + outbox.schema.table("outbox_message")
                            + " where xid < pg_snapshot_xmin(pg_current_snapshot())")
                    .getValues(0, Long.class);
            var fresh = new java.util.HashMap<Lane, List<OutboxRow>>();
            page.fresh()
                    .forEach((lane, rows) -> fresh.put(
                            lane,
                            rows.stream()
                                    .filter(row -> seen.contains(row.seq()))
                                    .toList()));
            return new Page(page.snapshot(), page.drawn(), Map.of(), fresh, 0, false);
        });
    }

    private static OutboxReader changed(OutboxFixture outbox, UnaryOperator<Page> mistake) {
        OutboxReader right = outbox.reader();
        return new OutboxReader() {
            @Override
            public Map<Lane, Cursor> start(Collection<Lane> lanes) {
                return right.start(lanes);
            }

            @Override
            public Page read(Map<Lane, Cursor> cursors, int limit) {
                return mistake.apply(right.read(cursors, limit));
            }

            @Override
            public Page readMoreLate(Map<Lane, Cursor> cursors, Page page, long afterSeq, int limit) {
                return right.readMoreLate(cursors, page, afterSeq, limit);
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
}
