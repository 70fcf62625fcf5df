package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any rows, cut into pages of any size under any plan: each comes, and with its own body. */
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

    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void each_row_comes_with_its_own_body(long seed) throws Exception {
        for (int round = 0; round < 8; round++) {
            outbox.emptyTables();
            outbox.execute("select setval('$schema.outbox_message_seq', 1, false)");
            round(new Random(seed * 1000 + round));
        }
    }

    private void round(Random random) throws Exception {
        var lanes = new ArrayList<Lane>();
        IntStream.range(0, 32).forEach(bucket -> lanes.add(new Lane(OutboxFixture.DESTINATION, (short) bucket)));
        var expected = new TreeMap<String, Integer>();
        var seen = new TreeMap<String, Integer>();
        try (var connection = LoopConnection.open(outbox.schema.in(outbox.dsl));
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
            var drawn = new ArrayList<Integer>();
            int next = 1;
            int most = random.nextBoolean() ? 50 : 9000;
            for (int row = 0; row < count; row++) {
                String id = "m" + row;
                boolean again = random.nextInt(6) == 0 && !drawn.isEmpty();
                int value = again ? drawn.remove(random.nextInt(drawn.size())) : next++;
                if (!again) {
                    drawn.add(value);
                }
                int size = random.nextInt(4) == 0 ? 0 : random.nextInt(most);
                String table = random.nextInt(5) == 0 ? "outbox_straggler" : "outbox_message";
                String sql =
                        "insert into %s (xid, created_at, seq, destination, session_id, message_id, subject, headers, payload)"
                                        .formatted(outbox.schema.table(table))
                                + " select pg_current_xact_id(), now(), %s, 'orders', %s, '%s', %s, %s, convert_to(substr(repeat('%s,', %d), 1, %d), 'UTF8')"
                                        .formatted(
                                                value,
                                                random.nextInt(10) == 0
                                                        ? "null"
                                                        : "'s" + random.nextInt(sessions) + "'",
                                                id,
                                                random.nextBoolean() ? "null" : "'" + id + "'",
                                                random.nextInt(3) > 0
                                                        ? "null"
                                                        : "jsonb_build_object('id', '" + id + "', 'x', repeat('x', "
                                                                + random.nextInt(6000) + "))",
                                                id,
                                                size,
                                                size);
                expected.put(id, size);
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

    private void drain(OutboxReader reader, Map<Lane, Cursor> cursors, Random random, Map<String, Integer> seen) {
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
            Map<String, Integer> seen) {
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
                Page alone = reader.read(Map.of(lane, cursor), new PageLimit(limit.rows(), limit.bytes(), true));
                take(alone.fresh(), seen);
                if (!alone.isLateCut()) {
                    take(alone.late(), seen);
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

    private static void take(Map<Lane, List<OutboxRow>> rows, Map<String, Integer> seen) {
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
            seen.put(id, body.length);
        });
    }
}
