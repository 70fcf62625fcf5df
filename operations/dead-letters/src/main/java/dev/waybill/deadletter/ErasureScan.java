package dev.waybill.deadletter;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Looks through every place where copies of messages are, and removes those that orders name. Places are looked through in the
 * order in which messages pass from one to the next, so that what moves meanwhile is met where it comes to. Thread-safe.
 */
final class ErasureScan {
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String LOCK_TIMEOUT = "select current_setting('lock_timeout')";
    private static final String SET_LOCK_TIMEOUT = "select set_config('lock_timeout', {0}, true)";

    private final SchemaName schema;
    private final ErasureSql sql;
    private final ErasedHolds holds;
    private final Claims claims;
    private final ErasedLetters rows;

    ErasureScan(SchemaName schema, ReachedArchive archive) {
        this.schema = schema;
        sql = new ErasureSql(schema);
        holds = new ErasedHolds(schema, sql);
        claims = new Claims(schema);
        rows = new ErasedLetters(schema, sql, archive, claims);
    }

    /**
     * Removes what it finds, place by place, each in transactions of its own.
     *
     * @param removed where to count it
     * @return whether anything was found; if nothing was, there was nothing in a look that began after the last change
     */
    boolean pass(DSLContext dsl, Ordered orders, AuditContext instruction, Map<Place, Long> removed) {
        var now = new EnumMap<Place, Long>(Place.class);
        Param<UUID[]> which = orders.which();
        // First what can be found only by the ids of the messages.
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

    /** Messages that are still on their way and were not asked for. */
    Map<Place, Long> left(DSLContext dsl, Ordered orders) {
        var left = new EnumMap<Place, Long>(Place.class);
        dsl.fetch(sql.left(), orders.which())
                .forEach(row -> left.put(Place.valueOf(row.get(0, String.class)), row.get(1, Long.class)));
        return left;
    }

    private int events(DSLContext dsl, Ordered orders) {
        @Nullable ErasureRequest request = orders.request();
        return request == null
                ? dsl.execute(sql.events(), orders.which())
                : dsl.execute(
                        sql.events(request.kind()),
                        orders.which(),
                        val(request.stored().toArray(String[]::new)));
    }

    // An application that cancels several, one after the other, is not to wait for us while we wait for it. If
    // some are locked, each has a transaction of its own, which holds nothing while it waits.
    private void scheduled(DSLContext dsl, Param<UUID[]> which, Map<Place, Long> now) {
        try {
            dsl.transaction(tx -> {
                String before = tx.dsl().fetchSingle(LOCK_TIMEOUT).get(0, String.class);
                tx.dsl().fetch(SET_LOCK_TIMEOUT, val("1ms"));
                List<UUID> named = tx.dsl().fetch(sql.scheduled(), which).getValues(0, UUID.class);
                tx.dsl().fetch(SET_LOCK_TIMEOUT, val(before));
                taken(tx.dsl(), named, Place.SCHEDULED, now);
            });
        } catch (DataAccessException e) {
            if (!LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                throw e;
            }
            for (Long id : dsl.fetch(sql.idsOfScheduled(), which).getValues(0, Long.class)) {
                dsl.transaction(tx -> taken(
                        tx.dsl(),
                        tx.dsl().fetch(sql.scheduledOf(), which, val(id)).getValues(0, UUID.class),
                        Place.SCHEDULED,
                        now));
            }
        }
    }

    private void withClaims(DSLContext dsl, String delete, Place place, Param<UUID[]> which, Map<Place, Long> now) {
        dsl.transaction(tx -> taken(tx.dsl(), tx.dsl().fetch(delete, which).getValues(0, UUID.class), place, now));
    }

    private void taken(DSLContext tx, List<UUID> named, Place place, Map<Place, Long> now) {
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
}
