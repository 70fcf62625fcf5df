package dev.waybill.journey;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.schema.SchemaName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/** Asks every table for what it tells of messages. At most one row more than wanted comes from each. */
record JourneyReader(DSLContext tx, SchemaName schema, EventMemory memory, int most) {
    /** What was read, and whether a table has more. */
    record Read(List<JourneyEntry> entries, boolean cut) {}

    Read read(Sought sought, List<String> found) {
        var cut = new HashSet<String>();
        String[] ids = found.toArray(String[]::new);
        Predicate<Trail> wanted = inSession(sought);
        var outbox = new Rows.Outbox(
                rows(JourneySql.OUTBOX, ids, wanted, cut), rows(JourneySql.SCHEDULED, ids, wanted, cut));
        var inbox =
                new Rows.Inbox(rows(JourneySql.HANDLED, ids, wanted, cut), rows(JourneySql.DEFERRED, ids, wanted, cut));
        var letters = new Rows.Letters(
                rows(JourneySql.LETTERS, ids, wanted, cut), rows(JourneySql.LETTER_AUDIT, ids, wanted, cut));
        List<Trail> events = memory.isReadable() ? rows(JourneySql.EVENTS, ids, wanted, cut) : List.of();
        var all = new Rows(outbox, inbox, letters, events, rows(JourneySql.HELD, ids, wanted, cut));
        String[] keys = keys(ids, all.sessions(), sought);
        var audit = new Rows.HoldAudit(
                holdAudit(JourneySql.HELD_AUDIT, ids, keys, cut).filter(wanted).toList(),
                holdAudit(JourneySql.HOLD_DECISIONS, all.holds(), keys, cut).toList(),
                cut.contains(JourneySql.HELD_AUDIT));
        var entries = new Telling(all, audit).entries(erased(ids, sought), memory.recorded());
        return new Read(entries, !cut.isEmpty());
    }

    private List<Trail> rows(String sql, String[] ids, Predicate<Trail> wanted, Set<String> cut) {
        return noted(sql, cut, tx.fetch(text(sql), val(ids), val((long) most + 1)))
                .filter(wanted)
                .toList();
    }

    private Stream<Trail> holdAudit(String sql, String[] ids, String[] keys, Set<String> cut) {
        return noted(sql, cut, tx.fetch(text(sql), val(ids), val((long) most + 1), val(keys)));
    }

    private Stream<Trail> noted(String sql, Set<String> cut, Result<Record> rows) {
        if (rows.size() > most) {
            cut.add(sql);
        }
        return rows.stream().map(Trail::new);
    }

    // Holds are known by their keys, made of sessions and messages.
    private static String[] keys(String[] ids, Set<String> sessions, Sought sought) {
        Stream<@Nullable String> all = Stream.concat(
                Stream.of((String) null),
                sought.kind() == Sought.Kind.SESSION ? Stream.of(sought.text()) : sessions.stream());
        return all.flatMap(session -> keys(session, ids))
                .collect(Collectors.toSet())
                .toArray(String[]::new);
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
