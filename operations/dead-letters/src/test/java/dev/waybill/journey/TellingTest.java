package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.journey.Journey.Recorded;
import dev.waybill.journey.Journey.Recorded.State;
import java.lang.reflect.Proxy;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often rows are looked at while they are put together. */
class TellingTest {
    private final AtomicLong looks = new AtomicLong();

    @Test
    void twice_as_many_messages_are_looked_at_twice_as_often() {
        assertThat(tell(400)).isEqualTo(400 * 6);
        long few = looks.getAndSet(0);
        tell(800);

        assertThat(looks.get()).isLessThan(few * 9 / 4);
    }

    @Test
    @Tag("long")
    void a_row_that_was_committed_late_was_passed_by_the_first_cursor_that_saw_it() {
        List<Trail> cursors = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            cursors.add(cursor(i, 5, i < 7 ? "90:200:90" : "100:200:", 200));
        }
        var lanes = new Lanes(cursors);

        assertThat(lanes.passage(row(5, 90)).passed()).isEqualTo(time(7).toInstant());
        assertThat(lanes.passage(row(5, 90)).notBefore()).isEqualTo(time(6).toInstant());
        assertThat(lanes.passage(row(5, 91)).passed()).isEqualTo(time(1).toInstant());
        assertThat(lanes.passage(row(5, 91)).notBefore()).isNull();
        assertThat(lanes.passage(row(6, 91)).passed()).isNull();
        assertThat(lanes.passage(row(5, 200)).passed()).isNull();
    }

    @Test
    void cursors_from_before_a_rebase_say_nothing_of_when_a_row_was_passed() {
        var lanes = new Lanes(List.of(
                cursor(1, 50, "900:900:", 900),
                cursor(2, 60, "900:900:", 900),
                cursor(3, 4, "901:901:", 901),
                cursor(4, 8, "901:901:", 901),
                cursor(5, 9, "100:100:", 100)));

        assertThat(lanes.passage(row(8, 50)).passed()).isEqualTo(time(5).toInstant());
        assertThat(lanes.passage(row(8, 50)).notBefore()).isNull();
    }

    // An outbox row, a failure, its copy and the handling of each; as many cursors.
    private int tell(int messages) {
        List<Trail> rows = new ArrayList<>();
        List<Trail> events = new ArrayList<>();
        List<Trail> handled = new ArrayList<>();
        List<Trail> cursors = new ArrayList<>();
        for (int i = 1; i <= messages; i++) {
            rows.add(row(i, 10));
            events.add(trail(Map.of(
                    "side",
                    "inbox",
                    "place",
                    "ledger",
                    "event",
                    "abandoned",
                    "message_id",
                    "m" + i,
                    "origin",
                    (long) i,
                    "origin_time",
                    time(i),
                    "at",
                    time(i + 2),
                    "deliveries",
                    1L,
                    "entity",
                    "orders")));
            handled.add(trail(Map.of("side", "inbox", "place", "ledger", "message_id", "m" + i, "at", time(i + 3))));
            cursors.add(cursor(i, i, "100:100:", 100));
        }
        var all = new Rows(
                new Rows.Outbox(rows, List.of(), List.of(), new Lanes(cursors)),
                new Rows.Inbox(handled, List.of()),
                new Rows.Letters(
                        List.of(), handled.stream().map(TellingTest::decided).toList()),
                events,
                List.of());
        var audit = new Rows.HoldAudit(List.of(), List.of(), false);
        return new Telling(all, audit, new Recorded(State.RECORDED, null))
                .entries(List.of())
                .size();
    }

    private static Trail decided(Trail of) {
        return new Trail(record(Map.of(
                "side",
                "letters",
                "place",
                "orders",
                "action",
                "redrive",
                "message_id",
                of.text("message_id"),
                "at",
                time(5))));
    }

    private Trail row(long seq, long xid) {
        return trail(Map.of(
                "side",
                "outbox",
                "place",
                "orders",
                "message_id",
                "m" + seq,
                "origin",
                seq,
                "xid",
                xid,
                "lane",
                "orders/1",
                "at",
                time(seq),
                "passed",
                time(seq + 1),
                "origin_time",
                time(seq),
                "now",
                time(seq)));
    }

    private Trail cursor(long at, long position, String snapshot, long nextXid) {
        return trail(Map.of(
                "lane", "orders/1", "position", position, "snapshot", snapshot, "next_xid", nextXid, "at", time(at)));
    }

    private static OffsetDateTime time(long second) {
        return OffsetDateTime.ofInstant(java.time.Instant.ofEpochSecond(second), ZoneOffset.UTC);
    }

    private Trail trail(Map<String, Object> columns) {
        Record row = record(columns);
        return new Trail((Record) Proxy.newProxyInstance(
                TellingTest.class.getClassLoader(), new Class<?>[] {Record.class}, (proxy, method, arguments) -> {
                    looks.incrementAndGet();
                    return method.invoke(row, arguments);
                }));
    }

    private static Record record(Map<String, Object> columns) {
        var fields = columns.entrySet().stream()
                .map(column ->
                        DSL.field(DSL.name(column.getKey()), column.getValue().getClass()))
                .toArray(Field<?>[]::new);
        Record row = DSL.using(org.jooq.SQLDialect.POSTGRES).newRecord(fields);
        row.fromArray(columns.values().toArray());
        return row;
    }
}
