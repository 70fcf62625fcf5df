package dev.waybill.test.proof;

import dev.waybill.schema.AutoCommitConnections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * The service's tables and what handlers append to the outbox: how they are at the proof's beginning, which each
 * run begins with, and how they are now.
 */
final class Tables {
    static final String OUTBOX = "outbox";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    // The place in the session is compared, not the one among all: sessions may overtake each other.
    private static final String APPENDED = """
            select destination, coalesce(session_id, '-') as session, message_id as id, subject,
              case when session_id is null then '-' else
                (row_number() over (partition by destination, session_id order by seq))::text end as place,
              (headers - 'traceparent' - 'tracestate' - 'Diagnostic-Id')::text as headers,
              case when octet_length(payload) <= 2000 then encode(payload, 'escape') else md5(payload) end as body
            from %1$s.outbox_message where seq > {0}
            union all
            select destination, coalesce(session_id, '-'), message_id, subject, 'due at ' || due_at,
              (headers - 'traceparent' - 'tracestate' - 'Diagnostic-Id')::text, md5(payload)
            from %1$s.outbox_scheduled where id > {1}
            """;

    private final DSLContext dsl;
    private final Terms terms;
    private final List<UserTable> tables;
    private final Map<UserTable, String[]> saved = new LinkedHashMap<>();
    private final long lastAppended;
    private final long lastScheduled;

    Tables(Terms terms) {
        this.terms = terms;
        dsl = AutoCommitConnections.using(terms.place().dataSource());
        tables = Catalog.read(dsl, terms.schema(), terms.comparison().ignored());
        requireKnown(Catalog.unknown(tables, terms.comparison().ignored(), dsl));
        tables.forEach(table -> saved.put(
                table,
                dsl.fetch("select waybill_row::text from " + table.rows() + " as waybill_row")
                        .getValues(0, String.class)
                        .toArray(String[]::new)));
        lastAppended = last("outbox_message", "seq");
        lastScheduled = last("outbox_scheduled", "id");
    }

    private static void requireKnown(Set<String> unknown) {
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("There are no such columns to be ignored: " + unknown);
        }
    }

    private long last(String table, String column) {
        return dsl.fetchSingle("select coalesce(max(" + column + "), -1) from "
                        + terms.schema().table(table))
                .get(0, Long.class);
    }

    void restore() {
        try {
            dsl.transaction(tx -> restore(tx.dsl()));
        } catch (DataAccessException e) {
            throw INSUFFICIENT_PRIVILEGE.equals(e.sqlState())
                    ? new IllegalStateException(
                            "A proof empties and refills tables without their triggers and foreign keys, which needs a"
                                    + " role that may set session_replication_role, such as a superuser",
                            e)
                    : e;
        }
    }

    private void restore(DSLContext tx) {
        var begin = new StringBuilder("set local session_replication_role = replica");
        tables.forEach(table -> begin.append("; delete from ").append(table.rows()));
        tx.execute(begin.toString());
        saved.forEach((table, rows) -> {
            if (rows.length > 0) {
                tx.execute(refill(table), DSL.val(rows));
            }
        });
        tx.execute("delete from " + terms.schema().table("outbox_message") + " where seq > {0}", DSL.val(lastAppended));
        tx.execute(
                "delete from " + terms.schema().table("outbox_scheduled") + " where id > {0}", DSL.val(lastScheduled));
    }

    // A row as text is exact for every type, which JSON is not.
    private static String refill(UserTable table) {
        String into = table.stored().isEmpty() ? "" : " (" + String.join(", ", table.stored()) + ")";
        String values = table.stored().stream()
                .map(column -> "(saved.waybill_row)." + column)
                .collect(Collectors.joining(", "));
        return "insert into " + table.name() + into + " overriding system value select " + values
                + " from (select text::" + table.name()
                + " as waybill_row from unnest({0}::text[]) as text offset 0) as saved";
    }

    void forget(String consumers) {
        dsl.execute(
                "delete from " + terms.schema().table("inbox_message") + " where starts_with(consumer, {0})",
                DSL.val(consumers));
    }

    Content content() {
        var rows = new LinkedHashMap<String, List<Map<String, String>>>();
        for (UserTable table : tables) {
            rows.put(table.label(), rows(table));
        }
        rows.put(OUTBOX, withoutIgnored(appended()));
        var probes = new LinkedHashMap<String, String>();
        terms.comparison().probes().forEach((name, probe) -> probes.put(name, String.valueOf(probe.get())));
        return new Content(rows, probes);
    }

    private List<Map<String, String>> rows(UserTable table) {
        List<String> columns = table.compared().stream()
                .map(column -> "t." + DSL.name(column) + "::text")
                .toList();
        String values = columns.isEmpty() ? "'x' as row" : String.join(", ", columns);
        return texts(dsl.fetch("select " + values + " from " + table.rows() + " as t"));
    }

    private List<Map<String, String>> appended() {
        return texts(dsl.fetch(APPENDED.formatted(terms.schema()), DSL.val(lastAppended), DSL.val(lastScheduled)));
    }

    private List<Map<String, String>> withoutIgnored(List<Map<String, String>> rows) {
        rows.forEach(row ->
                row.keySet().removeIf(column -> terms.comparison().ignored().contains(OUTBOX + "." + column)));
        return rows;
    }

    private static List<Map<String, String>> texts(List<? extends Record> records) {
        var rows = new ArrayList<Map<String, String>>();
        for (Record row : records) {
            var texts = new LinkedHashMap<String, String>();
            for (int i = 0; i < row.size(); i++) {
                texts.put(row.field(i).getName(), String.valueOf(row.get(i)));
            }
            rows.add(texts);
        }
        return rows;
    }
}
