package dev.waybill.journey;

import static org.jooq.impl.DSL.val;

import dev.waybill.message.WireContract;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** Finds the logical ids of the messages that somebody asks for. */
record JourneySearch(DSLContext tx, SchemaName schema, EventRetention retention) {
    /** Ids of messages, the latest first, and whether there are more. */
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
            case TRACE_ID -> ids(TRACE, text.toLowerCase(Locale.ROOT), most);
        };
    }

    private Found bySession(String session, int most) {
        return ids(SESSION + (retention.isReadable() ? EVENTS_OF_SESSION : ""), session, most);
    }

    private Found byBrokerId(String id, int most) {
        Found found = ids(BROKER_ID, id, most);
        // A copy's id begins with that of its message; its row may be gone.
        return found.ids().isEmpty() && WireContract.isRedriveId(id)
                ? new Found(List.of(id.substring(0, id.lastIndexOf('~'))), false)
                : found;
    }

    private Found ids(String source, String text, int most) {
        var found =
                new ArrayList<>(tx.fetch(LATEST.formatted(source.formatted(schema)), val(text), val((long) most + 1))
                        .getValues(0, String.class));
        boolean cut = found.size() > most;
        return new Found(List.copyOf(found.subList(0, Math.min(most, found.size()))), cut);
    }

    private static final String LATEST =
            "select message_id from (%s) found group by message_id order by max(at) desc limit {1}";

    private static final String SESSION = """
            (select message_id, created_at as at from %1$s.outbox_message where session_id = {0} order by seq desc limit {1})
            union all
            (select message_id, created_at from %1$s.outbox_published where session_id = {0} order by seq desc limit {1})
            union all
            (select message_id, created_at from %1$s.outbox_scheduled where session_id = {0} order by id desc limit {1})
            union all
            (select message_id, origin_time from %1$s.outbox_held_message where session_id = {0} order by origin_time desc limit {1})
            union all
            (select message_id, origin_time from %1$s.inbox_held_message where session_id = {0} order by origin_time desc limit {1})
            union all
            (select message_id, deferred_at from %1$s.inbox_deferral where session_id = {0} order by deferred_at desc limit {1})
            union all
            (select message_id, max(collected_at) as at from %1$s.dead_letter_message where session_id = {0}
             group by message_id order by at desc limit {1})
            """;

    private static final String EVENTS_OF_SESSION = """
            union all
            (select e.message_id, max(e.at) as at from %1$s.message_event e
             where hashtextextended(e.session_id collate "C", 0) = hashtextextended({0} collate "C", 0) and e.session_id = {0}
             group by e.message_id order by at desc limit {1})
            """;

    private static final String BROKER_ID = """
            (select message_id, created_at as at from %1$s.outbox_message
             where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
            union all
            (select message_id, created_at from %1$s.outbox_published
             where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
            union all
            (select message_id, origin_time from %1$s.outbox_held_message
             where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
            union all
            (select message_id, origin_time from %1$s.inbox_held_message
             where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
            union all
            (select message_id, collected_at from %1$s.dead_letter_message
             where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
            """;

    // Headers of foreign producers are no JSON that PostgreSQL takes.
    private static final String TRACE = """
            (select message_id, created_at as at from %1$s.outbox_message
             where split_part(headers ->> 'traceparent', '-', 2) = {0} limit {1})
            union all
            (select message_id, created_at from %1$s.outbox_published
             where split_part(headers ->> 'traceparent', '-', 2) = {0} limit {1})
            union all
            (select message_id, created_at from %1$s.outbox_scheduled
             where split_part(headers ->> 'traceparent', '-', 2) = {0} limit {1})
            union all
            (select message_id, origin_time from %1$s.outbox_held_message
             where substring(headers from '"traceparent": ?"[^"-]*-([^"-]*)-') = {0} limit {1})
            union all
            (select message_id, origin_time from %1$s.inbox_held_message
             where substring(headers from '"traceparent": ?"[^"-]*-([^"-]*)-') = {0} limit {1})
            union all
            (select message_id, collected_at from %1$s.dead_letter_message
             where substring(headers from '"traceparent": ?"[^"-]*-([^"-]*)-') = {0} limit {1})
            """;
}
