package dev.waybill.relay;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table whose partitions take turns by a sequence, and of which a partition is emptied as a whole once nothing in it is
 * needed. Next to nothing is deleted row by row, so next to nothing has to be vacuumed.
 *
 * <p>Emptying locks the partition <i>first</i> and looks again <i>then</i>: a transaction that had drawn its value long ago
 * may commit in between. A transaction that reads or writes the partition meanwhile makes the lock time out, and the turn
 * is missed. The sequence is never reset.
 */
final class Ring {
    private static final Logger LOG = LoggerFactory.getLogger(Ring.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final DSLContext dsl;
    private final Shape shape;

    Ring(DSLContext dsl, Shape shape) {
        this.dsl = dsl;
        this.shape = shape;
    }

    /** The messages, with no more history than the partition that is in use. */
    static Ring ofMessages(DSLContext dsl, SchemaName schema) {
        return ofMessages(dsl, schema, 0);
    }

    /**
     * The messages: a partition may go when the cursors of all its rows have passed them and seen them, and no replay wants
     * them.
     *
     * @param history how many partitions behind the one in use stay, 0 to 5
     */
    static Ring ofMessages(DSLContext dsl, SchemaName schema, int history) {
        return new Ring(
                dsl,
                new Shape(
                        schema.table("outbox_message"),
                        RingLayout.SLOTS,
                        RingLayout.SHIFT,
                        history,
                        NEEDED_MESSAGE.formatted(schema),
                        NOTHING));
    }

    /** The signs of life of relays: a partition may go when all in it have run out. */
    static Ring ofBeats(DSLContext dsl, SchemaName schema) {
        return new Ring(dsl, new Shape(schema.table("relay_beat"), 4, 10, 0, NEEDED_BEAT, NOTHING));
    }

    /** The progress: what is newest of a lane is written anew first, so that nothing old is needed. */
    static Ring ofProgress(DSLContext dsl, SchemaName schema) {
        return new Ring(dsl, new Shape(schema.table("outbox_progress"), 4, 13, 0, NOTHING, CARRY_ON.formatted(schema)));
    }

    /** Empties what can be emptied; returns the partitions that were. */
    List<Integer> turn() {
        var emptied = new ArrayList<Integer>();
        for (Record used : dsl.transactionResult(tx -> in(tx).usedSlots())) {
            int slot = used.get("slot", Integer.class);
            if (isResting(slot, used.get("last", Long.class))
                    && !dsl.transactionResult(tx -> in(tx).isNeeded(slot))
                    && empty(slot)) {
                emptied.add(slot);
            }
        }
        return emptied;
    }

    private Ring in(Configuration transaction) {
        return new Ring(transaction.dsl(), shape);
    }

    // One statement, because an idle relay asks it again and again.
    private List<Record> usedSlots() {
        String probes = IntStream.range(0, shape.slots)
                .mapToObj(
                        slot -> "select " + slot + " as slot where exists (select from " + shape.partition(slot) + ")")
                .collect(Collectors.joining(" union all "));
        return dsl.fetch("select slot, coalesce(pg_sequence_last_value('" + shape.table + "_seq'), 0) as last from ("
                + probes + ") used");
    }

    // The slot in use and the one after it, which writers may enter at any moment, are left alone, and so is history.
    private boolean isResting(int slot, long last) {
        long current = (last >> shape.shift) % shape.slots;
        long behind = (current - slot + shape.slots) % shape.slots;
        return behind > shape.history && slot != (current + 1) % shape.slots;
    }

    private long lastValue() {
        return dsl.fetchSingle("select coalesce(pg_sequence_last_value('" + shape.table + "_seq'), 0)")
                .get(0, Long.class);
    }

    private boolean isNeeded(int slot) {
        if (shape.needed.isEmpty()) {
            return false;
        }
        return dsl.fetchSingle(shape.needed.replace("$partition", shape.partition(slot)))
                .get(0, Boolean.class);
    }

    private boolean empty(int slot) {
        try {
            return dsl.transactionResult(tx -> in(tx).lockLookAgainAndTruncate(slot));
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                LOG.debug("{} is in use and stays for now", shape.partition(slot));
                return false;
            }
            throw e;
        }
    }

    private boolean lockLookAgainAndTruncate(int slot) {
        dsl.execute("set local lock_timeout = {0}", inline("50ms"));
        dsl.execute("lock table " + shape.partition(slot) + " in access exclusive mode");
        if (!isResting(slot, lastValue()) || isNeeded(slot)) {
            return false;
        }
        if (!shape.carryOn.isEmpty()) {
            dsl.execute(shape.carryOn, val(shape.shift), val(shape.slots), val(slot));
        }
        dsl.execute("truncate " + shape.partition(slot));
        LOG.debug("{} was emptied", shape.partition(slot));
        return true;
    }

    /**
     * How a ring is laid out.
     *
     * @param history how many slots behind the one in use stay as they are
     * @param needed asks whether a row of {@code $partition} must stay
     * @param carryOn writes anew what must not go with the partition
     */
    private record Shape(String table, int slots, int shift, int history, String needed, String carryOn) {
        String partition(int slot) {
            return table + "_" + slot;
        }
    }

    private static final String NOTHING = "";

    private static final String NEEDED_MESSAGE = """
            select exists (
              select from $partition m left join %1$s.outbox_cursor c
                on c.destination = m.destination and c.bucket = %1$s.outbox_bucket(m.session_id, m.message_id)
              where not %1$s.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid))
            or exists (
              select from $partition m join %1$s.outbox_replay r using (destination)
              where r.state = 'running' and m.seq > r.position and m.seq <= r.last_seq)
            """;

    private static final String NEEDED_BEAT =
            "select exists (select from $partition where alive_until > clock_timestamp())";

    private static final String CARRY_ON = """
            insert into %1$s.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid, late_snapshot, late_reached)
            select destination, bucket, epoch, position, snapshot, next_xid, late_snapshot, late_reached
            from %1$s.outbox_cursor
            where (id >> {0}) %% {1} = {2}
            """;
}
