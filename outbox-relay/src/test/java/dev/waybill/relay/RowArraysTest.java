package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page brings a lane's rows as arrays, the head brings them one by one: both must be the same rows. */
@ExtendWith(PostgresExtension.class)
class RowArraysTest {
    private static final Lane LANE = new Lane(OutboxFixture.DESTINATION, (short) 7);
    private static final PageLimit LIMIT = new PageLimit(100, 1 << 20, false);

    // Each column with nothing, with something, and with what an array's text form must quote.
    private static final String ROWS = """
            insert into %s (
              destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
              to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload)
            values
              ('orders', :s, 'bare', null, null, null, null, null, null, null, null, null, null, null, ''),
              ('orders', :s, 'full', 'b', :s, 'su', 'text/plain', 'co', 'to', 're', 'rs', 86400000,
                '2031-05-06 07:08:09.123456+02', '{"a": {"type": "int", "value": "1"}}', '\\x00ff0a'),
              ('orders', :s, 'NULL', 'null', null, '', 'a,b', '{"q"}', 'back\\slash', 'it''s', E'new\\nline', 0,
                '1969-12-31 23:59:59.999999Z', '{"ü": {"type": "string", "value": "\\"é\\", {}"}}', convert_to('body', 'UTF8')),
              ('orders', :s, 'ever', null, null, '☃', null, null, null, null, null, null, 'infinity', null, '\\x01'),
              ('orders', :s, 'once', null, null, null, null, null, null, null, null, null, '-infinity', null, '\\x02')
            """;

    private TestDatabase database;
    private OutboxFixture outbox;
    private String session;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        session = outbox.sessionsOfOneBucket(1).get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "binaryTransfer=false", "preferQueryMode=simple", "prepareThreshold=1"})
    void a_page_brings_of_each_row_what_the_head_brings_of_it(String driver) throws Exception {
        try (var pool = pool(driver);
                var connection = OutboxFixture.connections(outbox.schema.in(DSL.using(pool, SQLDialect.POSTGRES)))
                        .open()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> start = reader.start(List.of(LANE));
            database.execute(rows());
            Page head = reader.readHead(start, LIMIT);
            assertThat(head).isNotNull();

            for (int time = 0; time < 7; time++) {
                Page page = reader.read(start, LIMIT);
                assertThat(page.rows(LANE))
                        .hasSize(5)
                        .usingRecursiveFieldByFieldElementComparator()
                        .containsExactlyElementsOf(head.rows(LANE));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "294276-12-31 23:59:59.999999+00",
                "294247-01-10 04:00:54.775807+00",
                "4713-01-01 00:00:00+00 BC",
                "0001-01-01 00:00:00.000001+00",
                "1582-10-10 00:00:00+00"
            })
    void a_time_at_the_end_of_what_the_database_knows_stops_no_lane(String time) throws Exception {
        try (var connection =
                OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> start = reader.start(List.of(LANE));
            outbox.append(session, "m1");
            database.execute("update %s set scheduled_enqueue_time = '%s'"
                    .formatted(outbox.schema.table("outbox_message"), time));
            Page head = reader.readHead(start, LIMIT);
            assertThat(head).isNotNull();

            Page page = reader.read(start, LIMIT);

            assertThat(page.rows(LANE)).hasSize(1);
            // The server itself rounds the last thirty years.
            assertThat(page.rows(LANE).get(0).content().scheduledEnqueueTime())
                    .isCloseTo(head.rows(LANE).get(0).content().scheduledEnqueueTime(), within(1, ChronoUnit.MILLIS));
        }
    }

    @Test
    void functions_of_the_same_names_in_the_search_path_change_no_page() {
        outbox.execute("create function $schema.other(bigint[], bigint) returns bigint[] language sql"
                + " as 'select array[4711::bigint]'");
        outbox.execute("create aggregate $schema.array_agg(bigint) (sfunc = $schema.other, stype = bigint[])");
        outbox.execute("create function $schema.other(bigint, text) returns bigint language sql as 'select 0::bigint'");
        outbox.execute("create aggregate $schema.count(text) (sfunc = $schema.other, stype = bigint, initcond = '0')");
        try (var connection =
                OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open()) {
            connection.dsl().execute("set search_path = " + outbox.schema.value() + ", public");
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> start = reader.start(List.of(LANE));
            outbox.append(session, "m1");

            Page page = reader.read(start, LIMIT);

            assertThat(page.rows(LANE)).extracting(OutboxRow::seq).containsExactly(1L);
            assertThat(page.rows(LANE)).extracting(OutboxRow::sessionId).containsExactly(session);
            connection.dsl().execute("reset search_path");
        }
    }

    @Test
    void late_rows_come_with_all_their_columns_and_in_order() throws Exception {
        try (var connection =
                        OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open();
                var slow = outbox.open();
                var statement = slow.createStatement()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> start = reader.start(List.of(LANE));
            statement.execute(rows());
            outbox.append(session, "fast");
            Page before = reader.read(start, LIMIT);
            var passed = Map.of(LANE, new Cursor(before.reach(LANE, 0), before.snapshot(), Cursor.UNBOUNDED));
            slow.commit();
            Page head = reader.readHead(passed, LIMIT);
            assertThat(head).isNotNull();

            Page page = reader.read(passed, LIMIT);

            assertThat(page.late().get(LANE))
                    .hasSize(5)
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactlyElementsOf(head.late().get(LANE));
        }
    }

    @Test
    void rows_of_a_held_session_are_told_from_those_of_a_free_one() {
        List<String> sessions = outbox.sessionsOfOneBucket(2);
        outbox.append(sessions.get(0), "a0");
        outbox.append(sessions.get(1), "b0");
        outbox.append(sessions.get(0), "a1");
        outbox.append(sessions.get(1), "b1");
        var refusing = new RecordingPublisher();
        refusing.refuse("b0");
        outbox.relay(refusing).started().run();
        try (var connection =
                OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> all = Map.of(LANE, new Cursor(0, reader.peek().snapshot(), Cursor.UNBOUNDED));

            Page page = reader.read(all, LIMIT);

            assertThat(page.rows(LANE).stream().filter(OutboxRow::isHeld).map(OutboxRow::messageId))
                    .containsExactly("b0", "b1");
            assertThat(page.rows(LANE)).extracting(OutboxRow::messageId).containsExactly("a0", "b0", "a1", "b1");
        }
    }

    private String rows() {
        return ROWS.formatted(outbox.schema.table("outbox_message")).replace(":s", "'" + session + "'");
    }

    private HikariDataSource pool(String driver) {
        String url = database.server().jdbcUrl();
        var config = new HikariConfig();
        config.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + driver);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }
}
