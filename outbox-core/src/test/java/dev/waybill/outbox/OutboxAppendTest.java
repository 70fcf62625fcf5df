package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.Headers;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class OutboxAppendTest {
    private TestDatabase database;
    private SchemaName schema;
    private Outbox outbox;
    private DSLContext dsl;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        outbox = Outbox.builder().schema(schema).build();
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void a_row_exists_once_its_transaction_committed() {
        dsl.transaction(tx -> outbox.append(tx.dsl(), message("m1", "s1")));

        assertThat(ids()).containsExactly("m1");
    }

    @Test
    void a_rolled_back_transaction_leaves_no_row() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    outbox.append(tx.dsl(), message("m1", "s1"));
                    throw new IllegalStateException("business failure");
                }))
                .hasMessage("business failure");

        assertThat(ids()).isEmpty();
    }

    @Test
    void a_rolled_back_savepoint_leaves_nothing_and_the_rest_stays() {
        dsl.transaction(tx -> {
            outbox.append(tx.dsl(), message("kept", "s1"));
            assertThatThrownBy(() -> tx.dsl().transaction(nested -> {
                        outbox.append(nested.dsl(), message("undone", "s2"));
                        throw new IllegalStateException("inner failure");
                    }))
                    .hasMessage("inner failure");
        });

        assertThat(ids()).containsExactly("kept");
    }

    @Test
    void append_outside_a_transaction_is_refused() throws Exception {
        assertThatThrownBy(() -> outbox.append(dsl, message("m1", "s1"))).isInstanceOf(NoTransactionException.class);
        try (var connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> outbox.append(connection, message("m1", "s1")))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(ids()).isEmpty();
    }

    @Test
    void a_plain_connection_appends_in_its_own_transaction() throws Exception {
        try (var connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, message("m1", "s1"));
            assertThat(ids()).isEmpty();
            connection.commit();
        }
        assertThat(ids()).containsExactly("m1");
    }

    @Test
    void a_list_of_any_length_keeps_its_order() {
        var messages = java.util.stream.IntStream.range(0, 2_500)
                .mapToObj(i -> message("m" + i, "s" + i % 7))
                .toList();

        dsl.transaction(tx -> outbox.append(tx.dsl(), messages));

        assertThat(ids())
                .containsExactlyElementsOf(
                        messages.stream().map(OutboxMessage::id).toList());
    }

    @Test
    void a_second_append_to_a_session_waits_until_the_first_transaction_ends() throws Exception {
        assertWaitsForTheSession(tx -> outbox.append(tx, message("second", "s1")));
    }

    @Test
    void a_list_that_touches_a_session_waits_for_it() throws Exception {
        assertWaitsForTheSession(tx -> outbox.append(tx, List.of(message("other", "s0"), message("second", "s1"))));
    }

    @Test
    void an_append_by_plain_sql_waits_for_the_same_session() throws Exception {
        assertWaitsForTheSession(
                tx -> tx.execute("select " + schema.table("outbox_append") + "('orders', 's1', 'second', '')"));
    }

    private void assertWaitsForTheSession(Consumer<DSLContext> append) throws Exception {
        var firstAppended = new CountDownLatch(1);
        var firstMayCommit = new CountDownLatch(1);
        var first = CompletableFuture.runAsync(() -> dsl.transaction(tx -> {
            outbox.append(tx.dsl(), message("first", "s1"));
            firstAppended.countDown();
            await(firstMayCommit);
        }));
        await(firstAppended);
        var second = CompletableFuture.runAsync(() -> dsl.transaction(tx -> append.accept(tx.dsl())));

        Awaitility.await().until(this::someoneWaitsForASession);
        assertThat(second).isNotDone();
        firstMayCommit.countDown();
        CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);

        assertThat(ids()).startsWith("first").endsWith("second");
    }

    @Test
    void the_other_sessions_do_not_wait() throws Exception {
        dsl.transaction(tx -> {
            outbox.append(tx.dsl(), message("open", "s1"));
            CompletableFuture.runAsync(() -> dsl.transaction(other -> outbox.append(other.dsl(), message("m2", "s2"))))
                    .get(10, TimeUnit.SECONDS);
        });

        assertThat(ids()).containsExactlyInAnyOrder("open", "m2");
    }

    @Test
    void a_transaction_id_is_assigned_before_the_sequence_value_is_drawn() {
        var defaults = dsl.fetch(
                        "select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = {0}::regclass order by adnum",
                        DSL.inline(schema.table("outbox_message")))
                .getValues(0, String.class);

        assertThat(defaults.get(0)).containsSubsequence("CASE", "pg_current_xact_id", "THEN", "nextval");
    }

    @Test
    void every_property_is_stored_as_given() {
        var id = UUID.fromString("6f2ad4ac-7a8f-4e4c-9d33-0a6f3b4b7a11");
        var headers = Map.<String, Object>of(
                "text",
                "a \"quoted\" ü",
                "long",
                Long.MAX_VALUE,
                "double",
                1.0,
                "boolean",
                true,
                "time",
                Instant.parse("2026-01-02T03:04:05.678Z"),
                "uuid",
                id);
        var message = OutboxMessage.to("orders")
                .id("m1")
                .session("s1")
                .subject("Subject")
                .correlationId("c")
                .toAddress("to")
                .replyTo("r")
                .replyToSession("rs")
                .timeToLive(java.time.Duration.ofSeconds(5))
                .scheduledEnqueueTime(Instant.parse("2030-01-01T00:00:00Z"))
                .header("text", "a \"quoted\" ü")
                .header("long", Long.MAX_VALUE)
                .header("double", 1.0)
                .header("boolean", true)
                .header("time", Instant.parse("2026-01-02T03:04:05.678Z"))
                .header("uuid", id)
                .body(new byte[] {0, 1, (byte) 255}, "application/octet-stream")
                .build();

        dsl.transaction(tx -> outbox.append(tx.dsl(), message));

        var row = schema.in(dsl).selectFrom(OUTBOX_MESSAGE).fetchSingle();
        assertThat(Headers.read(row.get(OUTBOX_MESSAGE.HEADERS).data())).isEqualTo(headers);
        assertThat(row.get(OUTBOX_MESSAGE.PAYLOAD)).containsExactly(0, 1, 255);
        assertThat(row.get(OUTBOX_MESSAGE.TIME_TO_LIVE)).isEqualTo(5_000);
        assertThat(row.get(OUTBOX_MESSAGE.SCHEDULED_ENQUEUE_TIME)).isEqualTo("2030-01-01T00:00:00Z");
        assertThat(row.get(OUTBOX_MESSAGE.SUBJECT)).isEqualTo("Subject");
        assertThat(row.get(OUTBOX_MESSAGE.CORRELATION_ID)).isEqualTo("c");
        assertThat(row.get(OUTBOX_MESSAGE.TO_ADDRESS)).isEqualTo("to");
        assertThat(row.get(OUTBOX_MESSAGE.REPLY_TO)).isEqualTo("r");
        assertThat(row.get(OUTBOX_MESSAGE.REPLY_TO_SESSION_ID)).isEqualTo("rs");
    }

    @Test
    void an_empty_body_is_stored_as_an_empty_body() {
        dsl.transaction(tx ->
                outbox.append(tx.dsl(), OutboxMessage.to("orders").id("m1").build()));

        assertThat(schema.in(dsl).fetchValue(OUTBOX_MESSAGE.PAYLOAD)).isEmpty();
    }

    @Test
    void the_codecs_form_is_what_is_stored_and_its_size_is_what_counts() {
        var reversing = new PayloadCodec() {
            @Override
            public Encoded encode(OutboxMessage message) {
                return new Encoded(
                        new StringBuilder(new String(message.body(), UTF_8))
                                .reverse()
                                .toString()
                                .getBytes(UTF_8),
                        Map.of("codec", "reversed"));
            }

            @Override
            public byte[] decode(Received message) {
                throw new UnsupportedOperationException();
            }
        };
        var encoding = Outbox.builder().schema(schema).codec(reversing).build();
        var message = OutboxMessage.to("orders")
                .session("s")
                .text("abc")
                .idFromContent()
                .build();

        dsl.transaction(tx -> encoding.append(tx.dsl(), message));

        var row = schema.in(dsl).selectFrom(OUTBOX_MESSAGE).fetchSingle();
        assertThat(row.get(OUTBOX_MESSAGE.PAYLOAD)).isEqualTo("cba".getBytes(UTF_8));
        assertThat(row.get(OUTBOX_MESSAGE.MESSAGE_ID)).isEqualTo(message.id());
        assertThat(Headers.read(row.get(OUTBOX_MESSAGE.HEADERS).data())).containsEntry("codec", "reversed");
    }

    @Test
    void the_trace_an_append_happens_in_travels_with_the_message_in_both_of_its_names() {
        var traced = Outbox.builder()
                .schema(schema)
                .source("wallets")
                .traceContext(() -> Map.of("traceparent", "00-trace-span-01", "tracestate", "vendor=1"))
                .build();

        dsl.transaction(tx -> traced.append(
                tx.dsl(),
                List.of(
                        message("m1", "s"),
                        base("m2").header("traceparent", "00-mine-mine-01").build())));

        var headers = schema.in(dsl)
                .select(OUTBOX_MESSAGE.HEADERS)
                .from(OUTBOX_MESSAGE)
                .orderBy(OUTBOX_MESSAGE.SEQ)
                .fetch(row -> Headers.read(row.value1().data()));
        assertThat(headers.get(0))
                .containsOnly(
                        Map.entry("traceparent", "00-trace-span-01"),
                        Map.entry("Diagnostic-Id", "00-trace-span-01"),
                        Map.entry("tracestate", "vendor=1"),
                        Map.entry("waybill-source", "wallets"));
        assertThat(headers.get(1))
                .containsOnly(Map.entry("traceparent", "00-mine-mine-01"), Map.entry("waybill-source", "wallets"));
    }

    @Test
    void a_cloud_event_has_its_attributes_as_headers_and_one_without_a_type_is_refused() {
        var events = Outbox.builder()
                .schema(schema)
                .source("/wallets")
                .cloudEvents(true)
                .build();

        dsl.transaction(
                tx -> events.append(tx.dsl(), base("m1").subject("Debited").build()));

        var row = schema.in(dsl).selectFrom(OUTBOX_MESSAGE).fetchSingle();
        assertThat(Headers.read(row.get(OUTBOX_MESSAGE.HEADERS).data()))
                .containsOnly(
                        Map.entry("cloudEvents:specversion", "1.0"),
                        Map.entry("cloudEvents:id", "m1"),
                        Map.entry("cloudEvents:source", "/wallets"),
                        Map.entry("cloudEvents:type", "Debited"),
                        Map.entry("waybill-source", "/wallets"));
        assertThatThrownBy(() ->
                        dsl.transaction(tx -> events.append(tx.dsl(), base("m2").build())))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("m2")
                .hasMessageContaining("subject");
        assertThatThrownBy(() -> Outbox.builder().cloudEvents(true).build()).hasMessageContaining("source(...)");
    }

    @Test
    void lists_over_the_same_sessions_in_opposite_order_do_not_deadlock() throws Exception {
        var there = List.of(message("a1", "s1"), message("a2", "s2"), message("a3", "s3"));
        var back = List.of(message("b3", "s3"), message("b2", "s2"), message("b1", "s1"));
        for (int i = 0; i < 50; i++) {
            CompletableFuture.allOf(
                            CompletableFuture.runAsync(() -> dsl.transaction(tx -> outbox.append(tx.dsl(), there))),
                            CompletableFuture.runAsync(() -> dsl.transaction(tx -> outbox.append(tx.dsl(), back))))
                    .get(10, TimeUnit.SECONDS);
        }

        assertThat(ids()).hasSize(300);
    }

    @Test
    void a_declared_destination_refuses_what_it_would_not_take_before_a_row_exists() {
        var strict = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders").withSessions().withMaximumBytes(2_000))
                .build();

        dsl.transaction(tx -> {
            assertThatThrownBy(() -> strict.append(tx.dsl(), base("m1").build()))
                    .hasMessageContaining("session");
            assertThatThrownBy(() -> strict.append(
                            tx.dsl(),
                            base("m1").session("s").text("x".repeat(2_000)).build()))
                    .hasMessageContaining("takes 2000");
            assertThatThrownBy(() -> strict.append(
                            tx.dsl(),
                            OutboxMessage.to("order").id("m1").session("s").build()))
                    .hasMessageContaining("[orders]");
            strict.append(tx.dsl(), message("good", "s"));
        });

        assertThat(ids()).containsExactly("good");
    }

    private static OutboxMessage message(String id, String session) {
        return base(id).session(session).build();
    }

    private static OutboxMessage.Builder base(String id) {
        return OutboxMessage.to("orders").id(id).text("body of " + id);
    }

    private List<String> ids() {
        return schema.in(dsl)
                .select(OUTBOX_MESSAGE.MESSAGE_ID)
                .from(OUTBOX_MESSAGE)
                .orderBy(OUTBOX_MESSAGE.SEQ)
                .fetch(OUTBOX_MESSAGE.MESSAGE_ID);
    }

    private boolean someoneWaitsForASession() {
        return dsl.fetchExists(
                DSL.table("pg_locks"), DSL.condition("locktype = 'advisory' and classid = 1463900482 and not granted"));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
