package dev.waybill.journey;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Asks every table for what it tells of messages. At most one entry more than wanted comes from each. */
record JourneyReader(DSLContext tx, SchemaName schema, EventMemory memory, int most) {
    List<JourneyEntry> read(Sought sought, List<String> found) {
        String[] ids = found.toArray(String[]::new);
        Predicate<Trail> wanted = inSession(sought);
        var outbox = new Rows.Outbox(rows(JourneySql.OUTBOX, ids, wanted), rows(JourneySql.SCHEDULED, ids, wanted));
        var inbox = new Rows.Inbox(rows(JourneySql.HANDLED, ids, wanted), rows(JourneySql.DEFERRED, ids, wanted));
        var letters =
                new Rows.Letters(rows(JourneySql.LETTERS, ids, wanted), rows(JourneySql.LETTER_AUDIT, ids, wanted));
        List<Trail> events = memory.isReadable() ? rows(JourneySql.EVENTS, ids, wanted) : List.of();
        var all = new Rows(outbox, inbox, letters, events, rows(JourneySql.HELD, ids, wanted));
        List<Trail> holdAudit = holdAudit(ids, wanted, all.sessions(), sought);
        return new Telling(all, holdAudit).entries(erased(ids, sought), memory.recorded());
    }

    private List<Trail> rows(String sql, String[] ids, Predicate<Trail> wanted) {
        return tx.fetch(text(sql), val(ids), val((long) most + 1)).map(Trail::new).stream()
                .filter(wanted)
                .toList();
    }

    // Holds are known by their keys, made of sessions and messages.
    private List<Trail> holdAudit(String[] ids, Predicate<Trail> wanted, Set<String> sessions, Sought sought) {
        Stream<@Nullable String> all = Stream.concat(
                Stream.of((String) null),
                sought.kind() == Sought.Kind.SESSION ? Stream.of(sought.text()) : sessions.stream());
        String[] keys = all.flatMap(session -> keys(session, ids))
                .collect(Collectors.toSet())
                .toArray(String[]::new);
        return tx.fetch(text(JourneySql.HOLD_AUDIT), val(ids), val((long) most + 1), val(keys)).map(Trail::new).stream()
                .filter(row -> row.textOrNull("message_id") == null || wanted.test(row))
                .toList();
    }

    private static Stream<String> keys(@Nullable String session, String[] ids) {
        Stream<String> messages = Stream.of(ids)
                .map(id -> HoldKey.message(HoldSide.INBOX, "any", session, id).text());
        return session == null
                ? messages
                : Stream.concat(
                        messages,
                        Stream.of(
                                HoldKey.session(HoldSide.INBOX, "any", session).text()));
    }

    private List<Trail> erased(String[] ids, Sought sought) {
        String[] sessions = sought.kind() == Sought.Kind.SESSION ? new String[] {sought.text()} : new String[0];
        return tx.fetch(text(JourneySql.ERASED), val(ids), val(sessions)).map(Trail::new);
    }

    private String text(String sql) {
        return sql.formatted(schema, memory.knowsAdditions() ? "m.added_at" : "null::timestamptz");
    }

    // An id may be used in another session too.
    private static Predicate<Trail> inSession(Sought sought) {
        return sought.kind() == Sought.Kind.SESSION
                ? row -> row.textOrNull("session_id") == null || sought.text().equals(row.textOrNull("session_id"))
                : row -> true;
    }
}
