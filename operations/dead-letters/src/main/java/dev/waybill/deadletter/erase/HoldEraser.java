package dev.waybill.deadletter.erase;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.schema.SchemaName;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.Record;

/** Removes messages from holds. Ids of the inbox are recorded, so that none is handled if it is delivered again. */
final class HoldEraser {
    private final SchemaName schema;
    private final ErasureSql sql;

    HoldEraser(SchemaName schema, ErasureSql sql) {
        this.schema = schema;
        this.sql = sql;
    }

    /** Returns how many messages were removed, by side, and how many claims. */
    Map<Place, Long> remove(DSLContext dsl, Param<UUID[]> which, ClaimTable claims) {
        var removed = new EnumMap<Place, Long>(Place.class);
        remove(dsl, which, Side.OUTBOX, claims, removed);
        remove(dsl, which, Side.INBOX, claims, removed);
        return removed;
    }

    private void remove(DSLContext dsl, Param<UUID[]> which, Side side, ClaimTable claims, Map<Place, Long> removed) {
        for (Record hold : dsl.fetch(sql.holds(side.prefix), which)) {
            long id = hold.get("id", Long.class);
            // A consumer that receives a held message again records its id first and then locks the hold; this is the
            // reverse.
            Removed removal =
                    DeadlockRetry.of(() -> dsl.transactionResult(tx -> take(tx.dsl(), which, id, side, claims)));
            removed.merge(side.place, (long) removal.messages, Long::sum);
            removed.merge(Place.CLAIMS, (long) removal.claims, Long::sum);
        }
    }

    private Removed take(DSLContext tx, Param<UUID[]> which, long hold, Side side, ClaimTable claims) {
        tx.fetch(LOCK.formatted(schema, side.prefix), val(hold));
        if (side == Side.INBOX) {
            tx.execute(RECORD.formatted(schema, sql.named(ErasureSql.OF_HELD, true)), which, val(hold));
        }
        // Before the first message is removed: the trigger records an event about its attempt.
        tx.execute(END_ATTEMPT.formatted(schema, side.prefix), val(hold));
        List<UUID> named =
                tx.fetch(sql.heldMessages(side.prefix), which, val(hold)).getValues(0, UUID.class);
        tx.execute(END_IF_EMPTY.formatted(schema, side.prefix), val(hold));
        List<UUID> some = named.stream().filter(Objects::nonNull).toList();
        return new Removed(named.size(), some.isEmpty() ? 0 : claims.remove(tx, some));
    }

    private static final String LOCK = "select id from %1$s.%2$s_hold where id = {0} for update";

    // The key as the inbox makes it: a digest of the length of the consumer's name, the name and the id.
    private static final String RECORD = """
            insert into %1$s.inbox_message (key, consumer, message_id)
            select encode(substring(sha256(
                int4send(octet_length(convert_to(h.consumer, 'UTF8')))
                  || convert_to(h.consumer, 'UTF8') || convert_to(m.message_id, 'UTF8')), 1, 16), 'hex')::uuid,
              h.consumer, m.message_id
            from %1$s.inbox_hold h join %1$s.inbox_held_message m on m.hold_id = h.id
            where h.id = {1} and %2$s
            on conflict do nothing
            """;

    private static final String END_ATTEMPT = """
            update %1$s.%2$s_hold set attempt_token = null, attempt_until = null, attempts = 0, changed_at = clock_timestamp()
            where id = {0}
            """;

    private static final String END_IF_EMPTY = """
            delete from %1$s.%2$s_hold h where id = {0}
              and not exists (select from %1$s.%2$s_held_message m where m.hold_id = h.id)
            """;

    private enum Side {
        OUTBOX("outbox", Place.HELD_IN_OUTBOX),
        INBOX("inbox", Place.HELD_IN_INBOX);

        private final String prefix;
        private final Place place;

        Side(String prefix, Place place) {
            this.prefix = prefix;
            this.place = place;
        }
    }

    private record Removed(int messages, int claims) {}
}
