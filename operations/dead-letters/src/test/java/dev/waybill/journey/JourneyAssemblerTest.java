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
import org.junit.jupiter.api.Test;

/** How often rows are looked at while they are put together. */
class JourneyAssemblerTest {
    private final AtomicLong looks = new AtomicLong();

    @Test
    void twice_as_many_messages_are_looked_at_twice_as_often() {
        assertThat(tell(400)).isEqualTo(400 * 6);
        long few = looks.getAndSet(0);
        tell(800);

        assertThat(looks.get()).isLessThan(few * 9 / 4);
    }

    // An outbox row, a failure, its copy and the handling of each.
    private int tell(int messages) {
        List<JourneyRow> rows = new ArrayList<>();
        List<JourneyRow> events = new ArrayList<>();
        List<JourneyRow> handled = new ArrayList<>();
        for (int i = 1; i <= messages; i++) {
            rows.add(row(i));
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
        }
        var all = new JourneyRows(
                new JourneyRows.Outbox(List.of(), rows, List.of(), List.of(), List.of()),
                new JourneyRows.Inbox(handled, List.of()),
                new JourneyRows.Letters(
                        List.of(),
                        handled.stream().map(JourneyAssemblerTest::decided).toList()),
                events,
                List.of());
        var audit = new JourneyRows.HoldAudit(List.of(), List.of(), false);
        return new JourneyAssembler(all, audit, new Recorded(State.RECORDED, null))
                .entries(List.of())
                .size();
    }

    private static JourneyRow decided(JourneyRow of) {
        return new JourneyRow(record(Map.of(
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

    private JourneyRow row(long seq) {
        return trail(Map.of(
                "side",
                "outbox",
                "place",
                "orders",
                "message_id",
                "m" + seq,
                "origin",
                seq,
                "at",
                time(seq),
                "published_at",
                time(seq + 1),
                "origin_time",
                time(seq),
                "now",
                time(seq)));
    }

    private static OffsetDateTime time(long second) {
        return OffsetDateTime.ofInstant(java.time.Instant.ofEpochSecond(second), ZoneOffset.UTC);
    }

    private JourneyRow trail(Map<String, Object> columns) {
        Record row = record(columns);
        return new JourneyRow((Record) Proxy.newProxyInstance(
                JourneyAssemblerTest.class.getClassLoader(),
                new Class<?>[] {Record.class},
                (proxy, method, arguments) -> {
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
