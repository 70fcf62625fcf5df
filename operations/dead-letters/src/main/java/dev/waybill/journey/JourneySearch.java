package dev.waybill.journey;

import static org.jooq.impl.DSL.val;

import dev.waybill.message.WireContract;
import dev.waybill.schema.SqlFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** Finds the logical ids of messages. */
record JourneySearch(DSLContext tx, SqlFiles sql, EventRetention retention) {
    /** Ids, the latest first, and whether there are more. */
    record Found(List<String> ids, boolean cut) {
        Found and(Found other) {
            return new Found(
                    Stream.concat(ids.stream(), other.ids.stream()).distinct().toList(), cut || other.cut);
        }
    }

    Found of(SearchTerm term, int most) {
        return term.stored().stream()
                .map(text -> of(term.kind(), text, most))
                .reduce(new Found(List.of(), false), Found::and);
    }

    private Found of(SearchTerm.Kind kind, String text, int most) {
        return switch (kind) {
            case MESSAGE -> new Found(List.of(text), false);
            case SESSION -> bySession(text, most);
            case BROKER_ID -> byBrokerId(text, most);
            case TRACE_ID -> ids("by-trace-id", text.toLowerCase(Locale.ROOT), most);
        };
    }

    private Found bySession(String session, int most) {
        return ids(retention.isReadable() ? "by-session-and-events" : "by-session", session, most);
    }

    private Found byBrokerId(String id, int most) {
        Found found = ids("by-broker-id", id, most);
        // The id of a copy begins with that of its message, whose row may be gone.
        return found.ids().isEmpty() && WireContract.isRedriveId(id)
                ? new Found(List.of(id.substring(0, id.lastIndexOf('~'))), false)
                : found;
    }

    private Found ids(String statement, String text, int most) {
        var found = new ArrayList<>(
                tx.fetch(sql.get(statement), val(text), val((long) most + 1)).getValues(0, String.class));
        boolean cut = found.size() > most;
        return new Found(List.copyOf(found.subList(0, Math.min(most, found.size()))), cut);
    }
}
