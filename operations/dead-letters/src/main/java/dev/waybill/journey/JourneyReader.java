package dev.waybill.journey;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.journey.Journey.Part;
import dev.waybill.message.BrokerNames;
import dev.waybill.schema.SqlFiles;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/** Reads what each table knows of messages, with as many statements for many messages as for one. */
record JourneyReader(DSLContext tx, SqlFiles sql, EventRetention retention, int most) {
    record Read(List<JourneyEntry> entries, Set<Part> leftOut) {}

    Read read(SearchTerm term, List<String> found) {
        var cut = EnumSet.noneOf(Part.class);
        String[] ids = found.toArray(String[]::new);
        Predicate<JourneyRow> wanted = inSession(term);
        var outbox = new JourneyRows.Outbox(
                rows(JourneySource.OUTBOX, ids, wanted, cut),
                rows(JourneySource.PUBLISHED, ids, wanted, cut),
                rows(JourneySource.SCHEDULED, ids, wanted, cut),
                rows(JourneySource.CANCELLED, ids, wanted, cut),
                rows(JourneySource.FAILOVER, ids, wanted, cut));
        var inbox = new JourneyRows.Inbox(
                rows(JourneySource.HANDLED, ids, wanted, cut), rows(JourneySource.DEFERRED, ids, wanted, cut));
        var letters = new JourneyRows.Letters(
                rows(JourneySource.LETTERS, ids, wanted, cut), rows(JourneySource.LETTER_AUDIT, ids, wanted, cut));
        List<JourneyRow> events = retention.isReadable() ? rows(JourneySource.EVENTS, ids, wanted, cut) : List.of();
        var all = new JourneyRows(outbox, inbox, letters, events, rows(JourneySource.HELD, ids, wanted, cut));
        var audit = audit(all, ids, term, cut);
        var entries = new JourneyAssembler(all, audit, retention.recorded()).entries(erased(ids, term));
        return new Read(entries, cut);
    }

    private JourneyRows.HoldAudit audit(JourneyRows all, String[] ids, SearchTerm term, Set<Part> cut) {
        String[] keys = keys(all, ids, term);
        var own = EnumSet.noneOf(Part.class);
        List<JourneyRow> ofMessages = holdAudit(JourneySource.HELD_AUDIT, ids, keys, own)
                .filter(inSession(term))
                .toList();
        boolean isCut = !own.isEmpty();
        List<JourneyRow> ofHolds =
                holdAudit(JourneySource.HOLD_DECISIONS, all.holds(), keys, own).toList();
        cut.addAll(own);
        return new JourneyRows.HoldAudit(ofMessages, ofHolds, isCut);
    }

    private List<JourneyRow> rows(JourneySource source, String[] ids, Predicate<JourneyRow> wanted, Set<Part> cut) {
        return noted(source, cut, tx.fetch(sql.get(source.statement()), val(ids), val((long) most + 1)))
                .filter(wanted)
                .toList();
    }

    private Stream<JourneyRow> holdAudit(JourneySource source, String[] ids, String[] keys, Set<Part> cut) {
        return noted(source, cut, tx.fetch(sql.get(source.statement()), val(ids), val((long) most + 1), val(keys)));
    }

    private Stream<JourneyRow> noted(JourneySource source, Set<Part> cut, Result<Record> rows) {
        if (rows.size() > most) {
            cut.add(source.part());
        }
        return rows.stream().map(JourneyRow::new);
    }

    // Keys of holds are made of a session, a message, or both.
    private static String[] keys(JourneyRows all, String[] ids, SearchTerm term) {
        var keys = new HashSet<String>();
        List<String> sessions = term.kind() == SearchTerm.Kind.SESSION ? term.stored() : List.of();
        for (String id : ids) {
            keys.add(key(null, id));
            sessions.forEach(session -> keys.add(key(session, id)));
        }
        sessions.forEach(session -> keys.add(key(session, null)));
        all.ofSessions().forEach(row -> {
            keys.add(key(row.textOrNull("session_id"), row.text("message_id")));
            keys.add(key(row.textOrNull("session_id"), null));
        });
        return keys.toArray(String[]::new);
    }

    private static String key(@Nullable String session, @Nullable String message) {
        return new HoldKey(HoldSide.INBOX, "any", session, message).text();
    }

    private List<JourneyRow> erased(String[] ids, SearchTerm term) {
        String[] sessions =
                term.kind() == SearchTerm.Kind.SESSION ? term.stored().toArray(String[]::new) : new String[0];
        return tx.fetch(sql.get("erased"), val(ids), val(sessions)).map(JourneyRow::new);
    }

    private static Predicate<JourneyRow> inSession(SearchTerm term) {
        if (term.kind() != SearchTerm.Kind.SESSION) {
            return row -> true;
        }
        List<String> sessions = term.stored();
        return row -> row.textOrNull("session_id") == null
                || sessions.stream().anyMatch(session -> BrokerNames.same(session, row.text("session_id")));
    }
}
