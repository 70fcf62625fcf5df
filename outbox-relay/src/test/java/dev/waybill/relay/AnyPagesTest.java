package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.MessageContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any rows, cut into pages of any size under any plan: each comes once, and with what is its own. */
@ExtendWith(PostgresExtension.class)
class AnyPagesTest {
    private static final List<String> PLANS = List.of(
            "work_mem=64kB",
            "enable_hashagg=off",
            "enable_sort=off",
            "enable_indexscan=off",
            "enable_bitmapscan=off",
            "enable_nestloop=off",
            "enable_material=off",
            "parallel_setup_cost=0",
            "parallel_tuple_cost=0",
            "min_parallel_table_scan_size=0",
            "debug_parallel_query=on",
            "force_parallel_mode=on",
            "plan_cache_mode=force_custom_plan",
            "enable_presorted_aggregate=off",
            "bytea_output=escape",
            "timezone=Asia/Kathmandu",
            "intervalstyle=sql_standard");

    private static final List<String> FEW_HAVE = List.of(
            "broker_message_id",
            "partition_key",
            "correlation_id",
            "to_address",
            "reply_to",
            "reply_to_session_id",
            "time_to_live",
            "scheduled_enqueue_time");

    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void each_row_comes_with_what_is_its_own(long seed) throws Exception {
        for (int round = 0; round < 8; round++) {
            outbox.emptyTables();
            outbox.execute("select setval('$schema.outbox_message_seq', 1, false)");
            round(new Random(seed * 1000 + round));
        }
    }

    private void round(Random random) throws Exception {
        var lanes = new ArrayList<Lane>();
        IntStream.range(0, 32).forEach(bucket -> lanes.add(new Lane(OutboxFixture.DESTINATION, (short) bucket)));
        var expected = new TreeMap<String, String>();
        var seen = new TreeMap<String, String>();
        try (var connection =
                        OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open();
                var slow = outbox.open();
                var slower = outbox.open()) {
            for (String plan : PLANS) {
                if (random.nextInt(3) == 0) {
                    String[] setting = plan.split("=", 2);
                    connection
                            .dsl()
                            .execute(
                                    "select set_config(name, {0}, false) from pg_settings where name = {1}",
                                    DSL.val(setting[1]), DSL.val(setting[0]));
                }
            }
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> cursors = new HashMap<>(reader.start(lanes));
            int count = random.nextInt(300);
            int sessions = 1 + random.nextInt(40);
            int rarity = 1 + random.nextInt(12);
            Set<String> held = holdSome(random, sessions);
            var drawn = new ArrayList<Integer>();
            int next = 1;
            int most = random.nextBoolean() ? 50 : 9000;
            for (int row = 0; row < count; row++) {
                String id = "m" + row;
                boolean again = random.nextInt(6) == 0 && !drawn.isEmpty();
                int value = again ? drawn.get(random.nextInt(drawn.size())) : next++;
                if (!again) {
                    drawn.add(value);
                }
                int size = random.nextInt(4) == 0 ? 0 : random.nextInt(most);
                String table = random.nextInt(5) == 0 ? "outbox_straggler" : "outbox_message";
                @Nullable String session = random.nextInt(10) == 0 ? null : "s" + random.nextInt(sessions);
                var values = new TreeMap<String, String>();
                FEW_HAVE.stream()
                        .filter(column -> random.nextInt(rarity) == 0)
                        .forEach(column -> values.put(column, value(column, id)));
                String sql =
                        "insert into %s (xid, created_at, seq, destination, session_id, message_id, subject, headers, payload%s)"
                                        .formatted(
                                                outbox.schema.table(table),
                                                values.keySet().stream()
                                                        .map(column -> ", " + column)
                                                        .collect(Collectors.joining()))
                                + " select pg_current_xact_id(), now(), %s, 'orders', %s, '%s', %s, %s, convert_to(substr(repeat('%s,', %d), 1, %d), 'UTF8')%s"
                                        .formatted(
                                                value,
                                                session == null ? "null" : "'" + session + "'",
                                                id,
                                                random.nextBoolean() ? "null" : "'" + id + "'",
                                                random.nextInt(3) > 0
                                                        ? "null"
                                                        : "jsonb_build_object('id', '" + id + "', 'x', repeat('x', "
                                                                + random.nextInt(6000) + "))",
                                                id,
                                                size,
                                                size,
                                                values.values().stream()
                                                        .map(", '%s'"::formatted)
                                                        .collect(Collectors.joining()));
                expected.put(id, size + " bytes, " + values + (held.contains(session + "") ? ", held" : ""));
                switch (random.nextInt(3)) {
                    case 0 -> {
                        try (var statement = slow.createStatement()) {
                            statement.execute(sql);
                        }
                    }
                    case 1 -> {
                        try (var statement = slower.createStatement()) {
                            statement.execute(sql);
                        }
                    }
                    default -> outbox.dsl.execute(sql);
                }
            }
            outbox.execute("select setval('$schema.outbox_message_seq', " + next + ")");
            drain(reader, cursors, random, seen);
            slow.commit();
            drain(reader, cursors, random, seen);
            slower.commit();
            drain(reader, cursors, random, seen);
            connection.dsl().execute("reset all");
        }
        var missing = new TreeMap<>(expected);
        missing.keySet().removeAll(seen.keySet());
        assertThat(missing).as("what never came of " + expected.size()).isEmpty();
        assertThat(seen).isEqualTo(expected);
    }

    private void drain(OutboxReader reader, Map<Lane, Cursor> cursors, Random random, Map<String, String> seen) {
        boolean more = true;
        while (more) {
            more = false;
            var lanes = new ArrayList<>(cursors.keySet());
            Collections.shuffle(lanes, random);
            int some = random.nextBoolean() ? lanes.size() : 1 + random.nextInt(lanes.size());
            for (int from = 0; from < lanes.size(); from += some) {
                var asked = new HashMap<Lane, Cursor>();
                lanes.subList(from, Math.min(lanes.size(), from + some))
                        .forEach(lane -> asked.put(lane, cursors.get(lane)));
                more |= read(reader, asked, cursors, random, seen);
            }
        }
    }

    private boolean read(
            OutboxReader reader,
            Map<Lane, Cursor> asked,
            Map<Lane, Cursor> cursors,
            Random random,
            Map<String, String> seen) {
        var limit = new PageLimit(1 + random.nextInt(random.nextBoolean() ? 8 : 100), bytes(random), false);
        Page page = reader.read(asked, limit);
        if (page.isLateCut()) {
            take(page.late(), seen);
            while (page.isLateCut()) {
                page = reader.readMoreLate(asked, page, limit);
                take(page.late(), seen);
            }
            for (Lane lane : asked.keySet()) {
                cursors.put(
                        lane,
                        new Cursor(page.reach(lane, asked.get(lane).position()), page.snapshot(), Cursor.UNBOUNDED));
            }
            return true;
        }
        take(page.late(), seen);
        take(page.fresh(), seen);
        boolean more = false;
        for (Lane lane : asked.keySet()) {
            Cursor cursor = asked.get(lane);
            if (page.isTooLargeFor(lane)) {
                Cursor now = new Cursor(cursor.position(), page.snapshot(), Cursor.UNBOUNDED);
                Page alone = reader.read(Map.of(lane, now), new PageLimit(limit.rows(), limit.bytes(), true));
                cursors.put(lane, now);
                if (!alone.isLateCut()) {
                    take(alone.late(), seen);
                    take(alone.fresh(), seen);
                    cursors.put(
                            lane, new Cursor(alone.reach(lane, cursor.position()), alone.snapshot(), Cursor.UNBOUNDED));
                }
                more = true;
                continue;
            }
            more |= page.leavesBehind(lane, cursor.position());
            cursors.put(lane, new Cursor(page.reach(lane, cursor.position()), page.snapshot(), Cursor.UNBOUNDED));
        }
        return more;
    }

    // Enough for each row to have its share, or for a few rows only.
    private static int bytes(Random random) {
        return random.nextInt(3) == 0 ? 1_000_000 : random.nextInt(30_000);
    }

    private static void take(Map<Lane, List<OutboxRow>> rows, Map<String, String> seen) {
        rows.values().stream().flatMap(List::stream).forEach(row -> {
            String id = row.messageId();
            byte[] body = row.content().body();
            assertThat(new String(body, StandardCharsets.UTF_8))
                    .isEqualTo((id + ",").repeat(body.length).substring(0, body.length));
            if (row.content().subject() != null) {
                assertThat(row.content().subject()).isEqualTo(id);
            }
            if (row.content().headers() != null) {
                assertThat(row.content().headers()).contains("\"" + id + "\"");
            }
            String text = body.length + " bytes, " + fewHave(row.content()) + (row.isHeld() ? ", held" : "");
            assertThat(seen.put(id, text)).as("what came before as " + id).isNull();
        });
        assertThat(rows.values())
                .allSatisfy(lane -> assertThat(lane).isSortedAccordingTo(Comparator.comparingLong(OutboxRow::seq)));
    }

    private Set<String> holdSome(Random random, int sessions) {
        var held = new HashSet<String>();
        for (int hold = random.nextInt(6); hold > 0; hold--) {
            held.add("s" + random.nextInt(sessions));
        }
        held.forEach(session -> outbox.execute(
                "insert into $schema.outbox_hold (destination, session_id, state, reason) values ('orders', '%s', 'parked', 'any')"
                        .formatted(session)));
        return held;
    }

    private static String value(String column, String id) {
        int number = Integer.parseInt(id.substring(1));
        return switch (column) {
            case "time_to_live" -> Integer.toString(number);
            case "scheduled_enqueue_time" -> Instant.EPOCH.plusSeconds(number).toString();
            default -> column + " of " + id;
        };
    }

    private static Map<String, String> fewHave(MessageContent content) {
        var values = new TreeMap<String, String>();
        putGiven(values, "broker_message_id", content.brokerMessageId());
        putGiven(values, "partition_key", content.partitionKey());
        putGiven(values, "correlation_id", content.correlationId());
        putGiven(values, "to_address", content.toAddress());
        putGiven(values, "reply_to", content.replyTo());
        putGiven(values, "reply_to_session_id", content.replyToSessionId());
        @Nullable Duration timeToLive = content.timeToLive();
        putGiven(values, "time_to_live", timeToLive == null ? null : timeToLive.toMillis());
        putGiven(values, "scheduled_enqueue_time", content.scheduledEnqueueTime());
        return values;
    }

    private static void putGiven(Map<String, String> values, String column, @Nullable Object value) {
        if (value != null) {
            values.put(column, value.toString());
        }
    }
}
