package dev.waybill.deadletter.store;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Orders of erasure. Writers pass the gate, which says whether there are any, and then ask here. Thread-safe. */
public final class ErasureOrders {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureOrders.class);

    private final String gate;
    private final String among;
    private final String forbiddenSql;

    public ErasureOrders(SchemaName schema) {
        gate = "select " + schema.table("erasure_gate") + "()";
        among =
                "select a.place::integer from unnest({0}, {1}, {2}) with ordinality as a(message_id, session_id, at, place) where "
                        + matches(schema, new Names("a.message_id", "a.session_id", "a.at"));
        forbiddenSql = "select m.id from " + schema.table("dead_letter_message") + " m where m.id = any({0}) and "
                + matches(schema, Names.OF_LETTER);
    }

    /** Must come first in a transaction that asks for orders: under REPEATABLE READ it would not see a later order. */
    public static void readCommitted(DSLContext tx) {
        tx.execute("set transaction isolation level read committed");
    }

    static String matches(SchemaName schema, Names names) {
        return "exists (select from " + schema.table("erasure_order") + " o where " + ordered(names) + ")";
    }

    /** The condition that an order {@code o} of the statement names a row. */
    public static String ordered(Names names) {
        return "o.digest in (" + digest("message", names.message) + ", " + digest("session", lower(names.session))
                + ") and " + names.at + " <= o.applies_until";
    }

    public static String among(String digests, Names names) {
        return "(" + digest("message", names.message) + " = any(" + digests + ") or "
                + digest("session", lower(names.session)) + " = any(" + digests + "))";
    }

    // As the function erasure_digest. PostgreSQL cannot inline it, and a call for each row takes several times as long.
    private static String digest(String kind, String name) {
        return "encode(substring(sha256(convert_to('" + kind + " ' || (" + name + "), 'UTF8')), 1, 16), 'hex')::uuid";
    }

    private static String lower(String session) {
        return "lower((" + session + ") collate \"C\")";
    }

    /** Passes the gate: whether there are orders. Those who give an order wait for the end of this transaction. */
    public boolean pass(DSLContext tx) {
        return tx.fetchSingle(gate).get(0, Boolean.class);
    }

    <K> Map<K, ReceivedDeadLetter> allowed(DSLContext tx, Map<K, ReceivedDeadLetter> letters) {
        List<ReceivedDeadLetter> all = List.copyOf(letters.values());
        List<Integer> forbidden = tx.fetch(
                        among,
                        val(all.stream()
                                .map(a -> StorableValues.text(a.content().messageId()))
                                .toArray(String[]::new)),
                        val(all.stream()
                                .map(a -> StorableValues.text(a.content().sessionId()))
                                .toArray(String[]::new)),
                        val(all.stream().map(ErasureOrders::firstTime).toArray(OffsetDateTime[]::new)))
                .getValues(0, Integer.class);
        if (forbidden.isEmpty()) {
            return letters;
        }
        LOG.info("{} dead letters are not stored, because an erasure was ordered", forbidden.size());
        var keys = new ArrayList<>(letters.keySet());
        var left = new LinkedHashMap<>(letters);
        forbidden.forEach(place -> left.remove(keys.get(place - 1)));
        return left;
    }

    /** Whether there are orders. Those who give an order wait for the end of this transaction. */
    public List<Long> forbidden(DSLContext tx, Collection<Long> ids) {
        return tx.fetch(forbiddenSql, val(ids.toArray(Long[]::new))).getValues(0, Long.class);
    }

    private static OffsetDateTime firstTime(ReceivedDeadLetter letter) {
        @Nullable FirstEnqueued first = FirstEnqueued.of(letter.content());
        Instant time = first == null ? letter.origin().enqueuedAt() : first.enqueuedAt();
        return time.atOffset(ZoneOffset.UTC);
    }

    /** Expressions for the parts of a row that orders name; {@code at} is when the message was first enqueued. */
    public record Names(String message, String session, String at) {
        public static final Names OF_LETTER =
                new Names("m.message_id", "m.session_id", "coalesce(m.first_enqueued_at, m.enqueued_at)");
    }
}
