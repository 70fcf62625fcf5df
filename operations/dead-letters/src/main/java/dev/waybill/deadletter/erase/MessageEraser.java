package dev.waybill.deadletter.erase;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.ErasureReport;
import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.deadletter.archive.ArchiveStores;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.schema.SqlFiles;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Visits tables in the order in which messages move through them, and removes what orders name. Thread-safe. */
public final class MessageEraser {
    private static final int PATIENCE_SECONDS = 60;
    private static final int MOST_PASSES = 100;

    private static final String LOCK_TIMEOUT = "select current_setting('lock_timeout')";
    private static final String SET_LOCK_TIMEOUT = "select set_config('lock_timeout', {0}, true)";

    private final SchemaName schema;
    private final ErasureSql sql;
    private final HoldEraser holds;
    private final ClaimTable claims;
    private final LetterEraser rows;

    public MessageEraser(SchemaName schema, ArchiveStores archive) {
        this.schema = schema;
        sql = new ErasureSql(schema);
        holds = new HoldEraser(schema, sql);
        claims = new ClaimTable(schema);
        rows = new LetterEraser(schema, sql, archive, claims);
    }

    /** Repeats passes until one finds nothing. Waits up to a minute for transactions that store messages. */
    public ErasureReport erase(DSLContext dsl, Targets orders, AuditContext instruction) {
        flush(dsl);
        awaitWriters(dsl);
        var removed = new EnumMap<Place, Long>(Place.class);
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            if (!pass(dsl, orders, instruction, removed)) {
                flush(dsl);
                return new ErasureReport(removed, remaining(dsl, orders));
            }
        }
        throw new IllegalStateException("Copies come back as fast as they are removed; the order stands");
    }

    // A writer that passed the gate before the commit of the order has not seen the order. Waits are short, because
    // later writers queue behind this lock.
    private void awaitWriters(DSLContext dsl) {
        for (int second = 0; second < PATIENCE_SECONDS; second++) {
            try {
                dsl.transaction(tx -> {
                    tx.dsl().execute("set local lock_timeout = '1s'");
                    tx.dsl().fetch("select " + schema.table("erasure_barrier") + "()");
                });
                return;
            } catch (DataAccessException e) {
                if (!SqlError.LOCK.is(e.sqlState())) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("A transaction that stores messages has been open for " + PATIENCE_SECONDS
                + " seconds; the order stands, so erase again when it has ended");
    }

    /** Removes and counts copies, table by table, each in its own transaction. False if there were none. */
    public boolean pass(DSLContext dsl, Targets orders, AuditContext instruction, Map<Place, Long> removed) {
        var now = new EnumMap<Place, Long>(Place.class);
        Param<UUID[]> which = orders.which();
        // Before the rows that name the ids of these messages.
        if (isInstalled(dsl, "inbox_response")) {
            add(now, Place.RESPONSES, dsl.execute(sql.responses(), which));
        }
        if (isInstalled(dsl, "dead_letter_message")) {
            rows.remove(dsl, which, instruction, now);
        }
        if (isInstalled(dsl, "outbox_message")) {
            scheduled(dsl, which, now);
            withClaims(dsl, sql.pending(), Place.PENDING, which, now);
        }
        if (isInstalled(dsl, "outbox_published")) {
            withClaims(dsl, sql.published(), Place.PUBLISHED, which, now);
        }
        holds.remove(dsl, which, claims).forEach((place, count) -> add(now, place, count));
        add(now, Place.HOLD_AUDIT, dsl.execute(sql.holdAudit(), which));
        if (isInstalled(dsl, "message_event")) {
            add(now, Place.EVENTS, events(dsl, orders));
        }
        if (isInstalled(dsl, "inbox_state")) {
            add(now, Place.SESSION_STATE, dsl.execute(sql.sessionState(), which));
        }
        orphanedClaims(dsl, which, now);
        now.forEach((place, count) -> add(removed, place, count));
        return now.values().stream().anyMatch(count -> count > 0);
    }

    private boolean isInstalled(DSLContext dsl, String table) {
        return FeatureMissing.isInstalled(dsl, schema, table);
    }

    /** Live messages that the orders do not name, and documents out of reach. */
    public Map<Place, Long> remaining(DSLContext dsl, Targets orders) {
        var remaining = new EnumMap<Place, Long>(Place.class);
        dsl.fetch(sql.remaining(), orders.which())
                .forEach(row -> remaining.put(Place.valueOf(row.get(0, String.class)), row.get(1, Long.class)));
        return remaining;
    }

    private int events(DSLContext dsl, Targets orders) {
        ErasureRequest.@Nullable Kind kind = orders.kind();
        return kind == null
                ? dsl.execute(sql.events(), orders.which())
                : dsl.execute(
                        sql.events(kind), orders.which(), val(orders.names().toArray(String[]::new)));
    }

    // An application that cancels messages one after the other must not deadlock with this. If some rows are locked,
    // each row is deleted in its own transaction.
    private void scheduled(DSLContext dsl, Param<UUID[]> which, Map<Place, Long> now) {
        try {
            dsl.transaction(tx -> {
                String before = tx.dsl().fetchSingle(LOCK_TIMEOUT).get(0, String.class);
                tx.dsl().fetch(SET_LOCK_TIMEOUT, val("1ms"));
                List<UUID> named = tx.dsl().fetch(sql.scheduled(), which).getValues(0, UUID.class);
                tx.dsl().fetch(SET_LOCK_TIMEOUT, val(before));
                countWithClaims(tx.dsl(), named, Place.SCHEDULED, now);
            });
        } catch (DataAccessException e) {
            if (!SqlError.LOCK.is(e.sqlState())) {
                throw e;
            }
            for (Long id : dsl.fetch(sql.idsOfScheduled(), which).getValues(0, Long.class)) {
                dsl.transaction(tx -> countWithClaims(
                        tx.dsl(),
                        tx.dsl().fetch(sql.scheduledOf(), which, val(id)).getValues(0, UUID.class),
                        Place.SCHEDULED,
                        now));
            }
        }
    }

    private void withClaims(DSLContext dsl, String delete, Place place, Param<UUID[]> which, Map<Place, Long> now) {
        dsl.transaction(
                tx -> countWithClaims(tx.dsl(), tx.dsl().fetch(delete, which).getValues(0, UUID.class), place, now));
    }

    private void countWithClaims(DSLContext tx, List<UUID> named, Place place, Map<Place, Long> now) {
        add(now, place, named.size());
        removeClaims(tx, named, now);
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

    private void flush(DSLContext dsl) {
        dsl.fetch(new SqlFiles(MessageEraser.class, schema).get("flush"));
    }

    /** The orders of an erasure, with the ids that they name for indexes, unless only the digests are known. */
    public record Targets(List<UUID> digests, ErasureRequest.@Nullable Kind kind, List<String> names) {
        public static Targets of(List<UUID> digests) {
            return new Targets(digests, null, List.of());
        }

        private Param<UUID[]> which() {
            return val(digests.toArray(UUID[]::new));
        }
    }
}
