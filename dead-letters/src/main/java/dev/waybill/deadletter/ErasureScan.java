package dev.waybill.deadletter;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetterAudits.Entry;
import dev.waybill.deadletter.DeadLetterAudits.Transition;
import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.SchemaName;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.Result;

/**
 * Looks through every place where copies of messages are, and removes those that orders name. Places are looked through in the
 * order in which messages pass from one to the next, so that what moves meanwhile is met where it comes to. Thread-safe.
 */
final class ErasureScan {
    private static final int CHUNK = 100;

    private final SchemaName schema;
    private final ArchiveStore store;
    private final ErasureSql sql;
    private final ErasedHolds holds;
    private final Claims claims;

    ErasureScan(SchemaName schema, ArchiveStore store) {
        this.schema = schema;
        this.store = store;
        sql = new ErasureSql(schema);
        holds = new ErasedHolds(schema, sql);
        claims = new Claims(schema);
    }

    /**
     * Removes what it finds, place by place, each in transactions of its own.
     *
     * @param removed where to count it
     * @return whether anything was found; if nothing was, there was nothing in a look that began after the last change
     */
    boolean pass(DSLContext dsl, UUID[] orders, AuditContext instruction, Map<Place, Long> removed) {
        var now = new EnumMap<Place, Long>(Place.class);
        Param<UUID[]> which = val(orders);
        // First what can be found only by the ids of the messages.
        add(now, Place.RESPONSES, dsl.execute(sql.responses(), which));
        deadLetters(dsl, which, instruction, now);
        withClaims(dsl, sql.scheduled(), Place.SCHEDULED, which, now);
        for (String table : List.of("outbox_message", "outbox_straggler")) {
            withClaims(dsl, sql.published(table), Place.PUBLISHED, which, now);
            withClaims(dsl, sql.pending(table), Place.PENDING, which, now);
        }
        holds.remove(dsl, which, claims).forEach((place, count) -> add(now, place, count));
        add(now, Place.HOLD_AUDIT, dsl.execute(sql.holdAudit(), which));
        add(now, Place.SESSION_STATE, dsl.execute(sql.sessionState(), which));
        orphanedClaims(dsl, which, now);
        now.forEach((place, count) -> add(removed, place, count));
        return now.values().stream().anyMatch(count -> count > 0);
    }

    /** Messages that are still on their way and were not asked for. */
    Map<Place, Long> left(DSLContext dsl, UUID[] orders) {
        var left = new EnumMap<Place, Long>(Place.class);
        dsl.fetch(sql.left(), val(orders))
                .forEach(row -> left.put(Place.valueOf(row.get(0, String.class)), row.get(1, Long.class)));
        return left;
    }

    private void deadLetters(DSLContext dsl, Param<UUID[]> which, AuditContext instruction, Map<Place, Long> now) {
        int found;
        do {
            var some = new EnumMap<Place, Long>(Place.class);
            // A step of a re-drive that obeys the order locks the two rows of a letter the other way round.
            found = DeadlockRetry.of(() -> {
                some.clear();
                return dsl.transactionResult(tx -> someDeadLetters(tx.dsl(), which, instruction, some));
            });
            some.forEach((place, count) -> add(now, place, count));
        } while (found == CHUNK);
    }

    private int someDeadLetters(DSLContext tx, Param<UUID[]> which, AuditContext instruction, Map<Place, Long> now) {
        Result<Record> rows = tx.fetch(sql.deadLetters(), which, val(CHUNK));
        if (rows.isEmpty()) {
            return 0;
        }
        List<Long> ids = rows.getValues("id", Long.class);
        add(now, Place.DEAD_LETTERS, rows.size());
        add(
                now,
                Place.ARCHIVE,
                rows.stream().filter(row -> "archived".equals(row.get("state"))).count());
        tx.connection(connection -> store.remove(connection, ids));
        StateTable.remove(tx, ids);
        // Before the message, so that they are counted.
        add(now, Place.DEAD_LETTER_VERSIONS, tx.execute(VERSIONS.formatted(schema), val(ids.toArray(Long[]::new))));
        tx.execute(MESSAGES.formatted(schema), val(ids.toArray(Long[]::new)));
        removeClaims(tx, rows.getValues("claim", UUID.class), now);
        DeadLetterAudits.write(
                tx,
                rows.map(row -> new Transition(row.get("id", Long.class), row.get("state", String.class))),
                Entry.of("erase", instruction),
                "erased");
        return rows.size();
    }

    private void withClaims(DSLContext dsl, String delete, Place place, Param<UUID[]> which, Map<Place, Long> now) {
        dsl.transaction(tx -> {
            List<UUID> named = tx.dsl().fetch(delete, which).getValues(0, UUID.class);
            add(now, place, named.size());
            removeClaims(tx.dsl(), named, now);
        });
    }

    private void orphanedClaims(DSLContext dsl, Param<UUID[]> which, Map<Place, Long> now) {
        List<UUID> found = dsl.fetch(sql.claims(), which).getValues(0, UUID.class);
        dsl.transaction(tx -> removeClaims(tx.dsl(), found, now));
    }

    private void removeClaims(DSLContext tx, List<UUID> named, Map<Place, Long> now) {
        List<UUID> some = named.stream().filter(Objects::nonNull).toList();
        if (!some.isEmpty()) {
            add(now, Place.CLAIMS, claims.remove(tx, some));
        }
    }

    private static void add(Map<Place, Long> counts, Place place, long count) {
        counts.merge(place, count, Long::sum);
    }

    private static final String VERSIONS = "delete from %1$s.dead_letter_version where dead_letter = any({0})";

    private static final String MESSAGES = "delete from %1$s.dead_letter_message where id = any({0})";
}
