package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The statements of {@link SnapshotCursorReader}. All but the start answer first with what the read saw. Then those that look
 * at the head have the columns of a row, and those that read a page have a lane's rows as arrays. Thread-safe.
 */
class ReadSql {
    // No row that the snapshot sees comes before these positions, so nothing of it is published.
    private static final String START = """
            select l.lane::int - 1 as lane, pg_current_snapshot()::text as snapshot, coalesce(
              (select min(m.seq) - 1 from $schema.outbox_row m where m.destination = l.destination and m.bucket = l.bucket),
              pg_sequence_last_value('$schema.outbox_message_seq'), 0) as position
            from unnest({0}, {1}) with ordinality as l(destination, bucket, lane)
            """;

    private static final String NEXT = """
            select l.lane::int - 1 as lane, (
              select m.seq from $schema.outbox_row m
              where m.destination = {0} and m.bucket = l.bucket and m.seq > l.position order by m.seq limit 1) as seq,
              current_setting('waybill.loop', true) = {3} as same
            from unnest({1}, {2}) with ordinality as l(bucket, position, lane)
            """;

    private static final String PEEK = """
            select pg_current_snapshot()::text, $sight, current_setting('waybill.loop', true) = ?
            """;

    private final ReadTemplate template;
    private final Map<String, String> statements = new ConcurrentHashMap<>();

    ReadSql(SchemaName schema) {
        template = new ReadTemplate(schema);
    }

    String start() {
        return template.fill(START);
    }

    /** The next rows of lanes behind positions, in whatever partition. */
    String next() {
        return template.fill(NEXT);
    }

    String peek() {
        return statements.computeIfAbsent("peek", key -> template.fill(PEEK));
    }

    /**
     * Enters the partitions that these cursors stand before, usually one. A server keeps the plan that it has made at first, and
     * reads a partition that was nearly empty then as a whole. So a partition has a second statement, told by a comment, for
     * cursors that show it to have grown.
     */
    String page(Collection<Cursor> cursors, Fit fit) {
        var grownBySlot = new TreeMap<Integer, Boolean>();
        for (Cursor cursor : cursors) {
            long position = cursor.position();
            grownBySlot.merge(RingLayout.slotAfter(position), RingLayout.isWellInside(position), Boolean::logicalOr);
        }
        String key = fit + grownBySlot.toString();
        return statements.computeIfAbsent(key, unknown -> page(grownBySlot.keySet(), fit) + "-- " + key);
    }

    private String page(Set<Integer> slots, Fit fit) {
        String fresh = template.fill(PageTemplate.fresh(fit));
        return slots.stream()
                .map(slot -> fresh.replace("$slot", Integer.toString(slot)))
                .collect(Collectors.joining("", template.fill(PageTemplate.first()), ""));
    }

    String moreLate() {
        return statements.computeIfAbsent("more late", key -> template.fill(PageTemplate.moreLate()));
    }

    /**
     * Enters one partition, which has a second statement when it has grown, as for pages.
     *
     * @param listed whether transactions are asked for one by one besides those from a bound on
     * @param grown whether a cursor shows that the partition has grown
     * @param patient whether the server waits a moment for its log, which not every role may have it do
     */
    String head(int slot, boolean listed, boolean grown, boolean patient) {
        return statements.computeIfAbsent(
                "head" + slot + listed + grown + patient,
                key -> template.fill(HeadTemplate.of(listed, patient)).replace("$slot", Integer.toString(slot)) + "-- "
                        + grown);
    }

    /** How it is decided which of a lane's rows fit into a page. */
    enum Fit {
        /** As many as together have no more bytes than the lane may. */
        SUM,

        /** All if each has no more than its share of these bytes, which it costs less to find out. Otherwise none counts. */
        SHARE
    }
}
