package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AppendLocksTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL =
            WaybillExtension.with(bus -> bus.queue("orders").queue("sessions", QueueOptions::requiresSession));

    /** Two writers of one session, spelled alike: the second must wait for the first's commit. */
    @Test
    void a_java_append_and_outbox_append_exclude_each_other_in_one_spelling(TestWaybill waybill, DataSource ds)
            throws Exception {
        assertThat(locks(ds, tx -> sql(waybill, tx, "sessions", "W-1", "m1", null)))
                .isEqualTo(locks(ds, tx -> java(waybill, tx, "W-1", "m2")));
    }

    @Test
    void java_appends_of_two_spellings_exclude_each_other(TestWaybill waybill, DataSource ds) throws Exception {
        assertThat(locks(ds, tx -> java(waybill, tx, "W-1", "m1")))
                .isEqualTo(locks(ds, tx -> java(waybill, tx, "w-1", "m2")));
    }

    @Test
    void a_java_append_and_a_java_list_exclude_each_other(TestWaybill waybill, DataSource ds) throws Exception {
        assertThat(locks(ds, tx -> java(waybill, tx, "W-1", "m1")))
                .isEqualTo(locks(
                        ds, tx -> waybill.outbox().append(tx, List.of(message("W-1", "m2"), message("W-1", "m3")))));
    }

    /** The consequence: published in another order than committed. */
    @Test
    void commit_order_is_kept_between_java_and_sql(TestWaybill waybill, DataSource ds) throws Exception {
        try (Connection first = ds.getConnection();
                Connection second = ds.getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            sql(waybill, first, "sessions", "W-1", "later", null); // lower seq, commits last
            second.createStatement().execute("set lock_timeout = '2s'");
            boolean waited = false;
            try {
                java(waybill, second, "W-1", "earlier");
                second.commit();
            } catch (DataAccessException e) {
                assertThat(e.sqlState()).as(e.getMessage()).isEqualTo("55P03");
                waited = true;
                second.rollback();
            }
            if (!waited) {
                waybill.publish();
            }
            first.commit();
            waybill.publish();
            assertThat(waited)
                    .as("published " + waybill.published("sessions").ids() + "; the second writer waited")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"h\": {\"uuid\": \"nonsense\"}}",
                "{\"h\": {\"int\": \"99999999999\"}}",
                "{\"h\": {\"timestamp\": \"yesterday\"}}",
                "{\"h\": {\"timestamp\": \"+10000-01-01T00:00:00Z\"}}",
                "{\"h\": {\"binary\": \"!!\"}}",
                "{\"h\": {\"char\": \"\"}}",
                "{\"h\": {\"uri\": \" \"}}",
                "{\"h\": {\"ubyte\": \"999\"}}",
                "{\"h\": {\"ulong\": \"x\"}}",
                "{\"h\": {\"decimal32\": \"x\"}}",
                "{\"h\": {\"double\": \"x\"}}"
            })
    void typed_values_that_are_none_are_refused_or_arrive(String headers, TestWaybill waybill, DataSource ds)
            throws Exception {
        refusedOrPublished(waybill, ds, "orders", null, "m1", headers);
    }

    @Test
    void an_id_of_100_emojis_is_refused_or_arrives(TestWaybill waybill, DataSource ds) throws Exception {
        refusedOrPublished(waybill, ds, "orders", null, "\uD83D\uDE00".repeat(100), null);
    }

    @Test
    void a_session_of_100_emojis_is_refused_or_arrives(TestWaybill waybill, DataSource ds) throws Exception {
        refusedOrPublished(waybill, ds, "sessions", "\uD83D\uDE00".repeat(100), "m1", null);
    }

    @Test
    void sixty_kb_of_chinese_headers_are_refused_or_arrive(TestWaybill waybill, DataSource ds) throws Exception {
        String value = "\u6f22".repeat(10_000);
        refusedOrPublished(waybill, ds, "orders", null, "m1", "{\"a\": \"" + value + "\", \"b\": \"" + value + "\"}");
    }

    @Test
    void many_small_headers_are_refused_or_arrive(TestWaybill waybill, DataSource ds) throws Exception {
        var text = new StringBuilder("{\"x\": 1");
        for (int i = 0; i < 5_500; i++) {
            text.append(",\"").append(Integer.toString(i, 36)).append("\":1");
        }
        refusedOrPublished(waybill, ds, "orders", null, "m1", text + "}");
    }

    @Test
    void long_min_value_is_taken(TestWaybill waybill, DataSource ds) throws Exception {
        assertThatCode(() -> commit(ds, tx -> sql(waybill, tx, "orders", null, "m1", "{\"h\": -9223372036854775808}")))
                .doesNotThrowAnyException();
    }

    @Test
    void thirty_kb_of_quotes_and_line_breaks_are_taken_as_by_java(TestWaybill waybill, DataSource ds) throws Exception {
        String header = "\u0001".repeat(20_000);
        waybill.outbox()
                .inTransaction(tx -> waybill.outbox()
                        .append(
                                tx,
                                OutboxMessage.to("orders")
                                        .id("m0")
                                        .header("h", header)
                                        .text("x")
                                        .build()));
        assertThatCode(() -> commit(
                        ds,
                        tx -> sql(waybill, tx, "orders", null, "m1", "{\"h\": \"" + "\\u0001".repeat(20_000) + "\"}")))
                .doesNotThrowAnyException();
    }

    @Test
    void a_session_without_standard_conforming_strings_appends(TestWaybill waybill, DataSource ds) throws Exception {
        commit(ds, tx -> {
            tx.createStatement().execute("set local standard_conforming_strings = off");
            tx.createStatement().execute("set local escape_string_warning = off");
            sql(waybill, tx, "orders", "w-1", "m1", "{\"h\": 1}");
        });
        waybill.publish();
        waybill.published("orders").hasIds("m1");
    }

    @Test
    void largest_ids_of_emojis_by_java(TestWaybill waybill, DataSource ds) throws Exception {
        String id = "\uD83D\uDE00".repeat(64);
        waybill.outbox()
                .inTransaction(tx -> waybill.outbox()
                        .append(
                                tx,
                                OutboxMessage.to("sessions")
                                        .id(id)
                                        .session(id)
                                        .partitionKey(id)
                                        .replyToSession(id)
                                        .text("x")
                                        .build()));
        waybill.publish();
        waybill.published("sessions").hasIds(id);
    }

    private static void refusedOrPublished(
            TestWaybill waybill, DataSource ds, String destination, String session, String id, String headers)
            throws Exception {
        try {
            commit(ds, tx -> sql(waybill, tx, destination, session, id, headers));
        } catch (DataAccessException e) {
            assertThat(e.sqlState()).as(e.getMessage()).isEqualTo("22023");
            return;
        }
        waybill.publish();
        assertThat(waybill.published(destination).ids())
                .as("appended; held: " + waybill.held())
                .containsExactly(id);
    }

    private static void commit(DataSource ds, TestWaybill.Work work) throws Exception {
        try (Connection tx = ds.getConnection()) {
            tx.setAutoCommit(false);
            try {
                work.in(tx);
                tx.commit();
            } catch (Throwable e) {
                tx.rollback();
                throw e;
            }
        }
    }

    private static List<?> locks(DataSource ds, TestWaybill.Work work) throws Exception {
        try (Connection tx = ds.getConnection()) {
            tx.setAutoCommit(false);
            work.in(tx);
            List<?> locks = DSL.using(tx, SQLDialect.POSTGRES)
                    .fetch("select classid::bigint, objid::bigint from pg_locks"
                            + " where locktype = 'advisory' and pid = pg_backend_pid() and classid = 1463900482")
                    .getValues(1);
            tx.rollback();
            return locks;
        }
    }

    private static void java(TestWaybill waybill, Connection tx, String session, String id) {
        waybill.outbox().append(tx, message(session, id));
    }

    private static OutboxMessage message(String session, String id) {
        return OutboxMessage.to("sessions").id(id).session(session).text(id).build();
    }

    private static void sql(
            TestWaybill waybill, Connection tx, String destination, String session, String id, String headers) {
        DSLContext dsl = DSL.using(tx, SQLDialect.POSTGRES);
        dsl.execute(
                "select " + waybill.schema().table("outbox_append") + "({0}, {1}, {2}, {3}, headers => {4})",
                DSL.val(destination),
                DSL.val(session),
                DSL.val(id),
                DSL.val(id.getBytes(StandardCharsets.UTF_8)),
                DSL.val(headers == null ? null : JSONB.valueOf(headers)));
    }
}
