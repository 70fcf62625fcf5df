package dev.waybill.journey;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.journey.Journey.Part;
import dev.waybill.schema.SchemaName;
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

/**
 * Asks every table for what it tells of messages: as many statements however many messages there are. At most one row
 * more than wanted comes from each.
 */
record JourneyReader(DSLContext tx, SchemaName schema, EventRetention retention, int most) {
    /** The entries that were read, and the parts of which there is more. */
    record Read(List<JourneyEntry> entries, Set<Part> leftOut) {}

    Read read(SearchTerm term, List<String> found) {
        var cut = EnumSet.noneOf(Part.class);
        String[] ids = found.toArray(String[]::new);
        Predicate<JourneyRow> wanted = inSession(term);
        var outbox = new JourneyRows.Outbox(
                rows(JourneySql.OUTBOX, ids, wanted, cut),
                rows(JourneySql.PUBLISHED, ids, wanted, cut),
                rows(JourneySql.SCHEDULED, ids, wanted, cut),
                rows(JourneySql.CANCELLED, ids, wanted, cut));
        var inbox = new JourneyRows.Inbox(
                rows(JourneySql.HANDLED, ids, wanted, cut), rows(JourneySql.DEFERRED, ids, wanted, cut));
        var letters = new JourneyRows.Letters(
                rows(JourneySql.LETTERS, ids, wanted, cut), rows(JourneySql.LETTER_AUDIT, ids, wanted, cut));
        List<JourneyRow> events = retention.isReadable() ? rows(JourneySql.EVENTS, ids, wanted, cut) : List.of();
        var all = new JourneyRows(outbox, inbox, letters, events, rows(JourneySql.HELD, ids, wanted, cut));
        var audit = audit(all, ids, term, cut);
        var entries = new JourneyAssembler(all, audit, retention.recorded()).entries(erased(ids, term));
        return new Read(entries, cut);
    }

    private JourneyRows.HoldAudit audit(JourneyRows all, String[] ids, SearchTerm term, Set<Part> cut) {
        String[] keys = keys(all, ids, term);
        var own = EnumSet.noneOf(Part.class);
        List<JourneyRow> ofMessages = holdAudit(JourneySql.HELD_AUDIT, ids, keys, own)
                .filter(inSession(term))
                .toList();
        boolean isCut = !own.isEmpty();
        List<JourneyRow> ofHolds =
                holdAudit(JourneySql.HOLD_DECISIONS, all.holds(), keys, own).toList();
        cut.addAll(own);
        return new JourneyRows.HoldAudit(ofMessages, ofHolds, isCut);
    }

    private List<JourneyRow> rows(JourneySql.Source source, String[] ids, Predicate<JourneyRow> wanted, Set<Part> cut) {
        return noted(source, cut, tx.fetch(text(source), val(ids), val((long) most + 1)))
                .filter(wanted)
                .toList();
    }

    private Stream<JourneyRow> holdAudit(JourneySql.Source source, String[] ids, String[] keys, Set<Part> cut) {
        return noted(source, cut, tx.fetch(text(source), val(ids), val((long) most + 1), val(keys)));
    }

    private Stream<JourneyRow> noted(JourneySql.Source source, Set<Part> cut, Result<Record> rows) {
        if (rows.size() > most) {
            cut.add(source.part());
        }
        return rows.stream().map(JourneyRow::new);
    }

    // Holds are known by their keys, made of a session and a message, or of one of them.
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
        return tx.fetch(JourneySql.ERASED.formatted(schema), val(ids), val(sessions))
                .map(JourneyRow::new);
    }

    private String text(JourneySql.Source source) {
        return source.sql().formatted(schema);
    }

    // An id may be used in another session too.
    private static Predicate<JourneyRow> inSession(SearchTerm term) {
        if (term.kind() != SearchTerm.Kind.SESSION) {
            return row -> true;
        }
        List<String> sessions = term.stored();
        return row -> row.textOrNull("session_id") == null || sessions.contains(row.text("session_id"));
    }
}
