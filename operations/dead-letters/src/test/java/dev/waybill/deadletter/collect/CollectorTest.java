package dev.waybill.deadletter.collect;

import static dev.waybill.deadletter.collect.DeadLetterFixture.SOON;
import static dev.waybill.deadletter.collect.DeadLetterFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.StoredLetters;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.AmqpValue;
import dev.waybill.message.Headers;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public class CollectorTest {
    private DeadLetterFixture fixture;

    @BeforeEach
    void start(TestDatabase database) {
        fixture = new DeadLetterFixture(
                database,
                bus -> bus.queue("orders", queue -> queue)
                        .queue("wallets", queue -> queue.requiresSession())
                        .queue("forwarding", queue -> queue.forwardTo("nowhere"))
                        .topic("events", topic -> topic.subscription("audit").subscription("fraud")));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void a_dead_letter_is_stored_and_then_gone_from_the_broker() throws Exception {
        fixture.bury("orders", "BadThingException", message("m1", "hello"));

        assertThat(fixture.collect(fixture.deadLettersOf("orders"))).isEqualTo(1);

        var row = fixture.dsl.fetchSingle("select * from " + fixture.schema.table("dead_letter"));
        assertThat(row.get("entity")).isEqualTo("orders");
        assertThat(row.get("message_id")).isEqualTo("m1");
        assertThat(row.get("reason")).isEqualTo("BadThingException");
        assertThat(row.get("description")).isEqualTo("because of BadThingException");
        assertThat(row.get("exception_type")).isEqualTo("BadThingException");
        assertThat(new String(row.get("payload", byte[].class), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("hello");
        assertThat(row.get("headers")).isNull();
        assertThat(row.get("state")).isEqualTo("open");
        assertThat(fixture.deadLettersIn("orders")).isZero();
    }

    @Test
    void a_letter_keeps_the_claim_of_an_empty_body_and_foreign_properties_whatever_other_message_they_are_of()
            throws Exception {
        ServiceBusMessage copied = message("copy", "");
        copied.getApplicationProperties()
                .putAll(Map.of("waybill-id", "m1", "waybill-claim", "a-claim", "waybill-number", "WB-17"));
        fixture.bury("orders", "r", copied);

        fixture.collect(fixture.deadLettersOf("orders"));

        var row = fixture.dsl.fetchSingle("select * from " + fixture.schema.table("dead_letter"));
        assertThat(row.get("message_id")).isEqualTo("copy");
        assertThat(Headers.read(row.get("headers", String.class)))
                .isEqualTo(Map.of("waybill-claim", "a-claim", "waybill-number", "WB-17"));
    }

    @Test
    void a_collector_that_dies_before_the_commit_loses_nothing() throws Exception {
        fixture.bury("orders", "r", message("m1", "1"), message("m2", "2"));
        var outcome = fixture.collector(fixture.dyingBeforeCommit(), fixture.deadLettersOf("orders"))
                .run(SOON);

        assertThat(outcome.failure()).isInstanceOf(DeadLetterFixture.Crash.class);
        assertThat(fixture.storedIds()).isEmpty();
        assertThat(fixture.deadLettersIn("orders")).isEqualTo(2);
        assertCollectedOnce("m1", "m2");
    }

    @Test
    void a_collector_that_does_not_learn_of_its_commit_stores_nothing_twice() throws Exception {
        fixture.bury("orders", "r", message("m1", "1"), message("m2", "2"));
        var outcome = fixture.collector(fixture.dyingAfterCommit(), fixture.deadLettersOf("orders"))
                .run(SOON);

        assertThat(outcome.failure()).isInstanceOf(DeadLetterFixture.Crash.class);
        assertThat(fixture.deadLettersIn("orders")).isEqualTo(2);
        assertCollectedOnce("m1", "m2");
    }

    @Test
    @Tag("long")
    void a_completion_that_never_arrives_stores_nothing_twice() throws Exception {
        fixture.bury("orders", "r", message("m1", "1"), message("m2", "2"));
        fixture.bus
                .faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .operation("completed")
                .times(1)
                .then(FaultAction.dropConnection());
        runAndDrain();

        assertCollectedOnce("m1", "m2");
    }

    @Test
    @Tag("long")
    void a_completion_whose_answer_is_lost_does_no_harm() throws Exception {
        fixture.bury("orders", "r", message("m1", "1"), message("m2", "2"));
        fixture.bus.faults().at(FaultPoint.SETTLED_BEFORE_ACK).times(1).then(FaultAction.dropConnection());
        runAndDrain();

        assertCollectedOnce("m1", "m2");
    }

    @Test
    void a_database_that_is_away_leaves_everything_on_the_broker() throws Exception {
        fixture.bury("orders", "r", message("m1", "1"));
        var outcome = fixture.collector(fixture.dyingBefore("dead_letter_entity"), fixture.deadLettersOf("orders"))
                .run(SOON);

        assertThat(outcome.failure()).isNotNull();
        assertThat(fixture.bus.journal("orders/$DeadLetterQueue").deliveries()).isEmpty();
        assertCollectedOnce("m1");
    }

    @Test
    void a_recreated_entity_that_starts_its_numbers_again_loses_nothing() throws Exception {
        fixture.bury("orders", "r", message("m1", "first life"));
        fixture.collect(fixture.deadLettersOf("orders"));
        fixture.bus.delete("orders");
        fixture.bus.createQueue("orders", queue -> queue);
        fixture.bury("orders", "r", message("m1", "second life"));

        assertThat(fixture.collect(fixture.deadLettersOf("orders"))).isEqualTo(1);

        var rows = fixture.dsl.fetch("select sequence_number, payload from " + fixture.schema.table("dead_letter"));
        assertThat(rows.getValues("sequence_number", Long.class))
                .containsOnly(1L)
                .hasSize(2);
        assertThat(rows.getValues("payload", byte[].class))
                .extracting(bytes -> new String(bytes, java.nio.charset.StandardCharsets.UTF_8))
                .containsExactlyInAnyOrder("first life", "second life");
    }

    @Test
    void two_collectors_at_once_store_each_dead_letter_once() throws Exception {
        fixture.bury(
                "orders",
                "r",
                IntStream.range(0, 500).mapToObj(i -> message("m" + i, "body")).toArray(ServiceBusMessage[]::new));

        try (var one = DeadLetterCollector.start(
                        fixture.database.dataSource(), fixture.schema, List.of(fixture.deadLettersOf("orders")));
                var two = DeadLetterCollector.start(
                        fixture.database.dataSource(), fixture.schema, List.of(fixture.deadLettersOf("orders")))) {
            assertThat(one).isNotSameAs(two);
            await().atMost(Duration.ofSeconds(60)).until(() -> fixture.deadLettersIn("orders") == 0);
        }

        assertThat(fixture.storedIds()).hasSize(500).doesNotHaveDuplicates();
    }

    @Test
    void every_property_is_kept_with_its_type() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>(StoredLetters.everyType());
        sent.remove("foreign");
        var message = new ServiceBusMessage(new byte[0])
                .setMessageId("m1")
                .setSubject("subject")
                .setContentType("type")
                .setCorrelationId("correlation")
                .setTo("to")
                .setReplyTo("reply")
                .setReplyToSessionId("reply-session")
                .setTimeToLive(Duration.ofHours(1));
        message.getApplicationProperties().putAll(sent);
        message.getApplicationProperties().put("time", Date.from(Instant.parse("2026-01-02T03:04:05.678Z")));
        fixture.bury("orders", "r", message);

        fixture.collect(fixture.deadLettersOf("orders"));

        var row = fixture.dsl.fetchSingle("select * from " + fixture.schema.table("dead_letter"));
        Map<String, Object> expected = new LinkedHashMap<>(sent);
        expected.put("time", Instant.parse("2026-01-02T03:04:05.678Z"));
        assertThat(Headers.read(row.get("headers", String.class))).containsExactlyInAnyOrderEntriesOf(expected);
        assertThat(row.get("payload", byte[].class)).isEmpty();
        assertThat(row.get("subject")).isEqualTo("subject");
        assertThat(row.get("content_type")).isEqualTo("type");
        assertThat(row.get("correlation_id")).isEqualTo("correlation");
        assertThat(row.get("to_address")).isEqualTo("to");
        assertThat(row.get("reply_to")).isEqualTo("reply");
        assertThat(row.get("reply_to_session_id")).isEqualTo("reply-session");
        assertThat(row.get("time_to_live", Long.class)).isEqualTo(3_600_000);
    }

    public static Map<String, Object> everyForeignType() {
        return Map.of(
                "binary",
                new Binary(new byte[] {0, -1, 2}),
                "ubyte",
                UnsignedByte.valueOf((byte) -1),
                "ushort",
                UnsignedShort.valueOf((short) -1),
                "uint",
                UnsignedInteger.valueOf(-1),
                "ulong",
                UnsignedLong.valueOf(-1L),
                "decimal32",
                new Decimal32(0xf8000001),
                "decimal64",
                new Decimal64(0xf800000000000001L),
                "decimal128",
                new Decimal128(0x8c3c000000000000L, 1999L));
    }

    @Test
    void properties_of_types_that_java_has_not_are_kept_with_them() throws Exception {
        var message = new ServiceBusMessage(new byte[0]).setMessageId("m1");
        message.getApplicationProperties().putAll(everyForeignType());
        fixture.bury("orders", "r", message);

        fixture.collect(fixture.deadLettersOf("orders"));

        var row = fixture.dsl.fetchSingle("select headers from " + fixture.schema.table("dead_letter"));
        Map<String, Object> kept = Headers.read(row.get("headers", String.class));
        assertThat((byte[]) kept.remove("binary")).containsExactly(0, -1, 2);
        assertThat(kept)
                .isEqualTo(Map.of(
                        "ubyte", new AmqpValue("ubyte", "255"),
                        "ushort", new AmqpValue("ushort", "65535"),
                        "uint", new AmqpValue("uint", "4294967295"),
                        "ulong", new AmqpValue("ulong", "18446744073709551615"),
                        "decimal32", new AmqpValue("decimal32", "f8000001"),
                        "decimal64", new AmqpValue("decimal64", "f800000000000001"),
                        "decimal128", new AmqpValue("decimal128", "8c3c00000000000000000000000007cf")));
    }

    @Test
    void a_body_that_is_binary_or_large_is_kept_byte_for_byte() throws Exception {
        byte[] large = new byte[200 * 1024];
        new Random(7).nextBytes(large);
        fixture.bury("orders", "r", new ServiceBusMessage(BinaryData.fromBytes(large)).setMessageId("m1"));

        fixture.collect(fixture.deadLettersOf("orders"));

        assertThat(fixture.dsl
                        .fetchSingle("select payload from " + fixture.schema.table("dead_letter"))
                        .get(0, byte[].class))
                .isEqualTo(large);
    }

    @Test
    void a_body_that_is_no_data_and_a_nul_in_the_subject_keep_nobody_from_coming_home() throws Exception {
        var text = new ServiceBusMessage(AmqpMessageBody.fromValue("a text")).setMessageId("m0");
        var value = new ServiceBusMessage(AmqpMessageBody.fromValue(7)).setMessageId("m1");
        fixture.bury("orders", "r", text, value, message("m2", "2").setSubject("a\0b"), message("m3", "3"));

        fixture.collect(fixture.deadLettersOf("orders"));

        assertThat(fixture.storedIds()).containsExactlyInAnyOrder("m0", "m1", "m2", "m3");
        var kinds = fixture.dsl.fetch("select body_kind, convert_from(payload, 'UTF8') as body from "
                + fixture.schema.table("dead_letter") + " where message_id < 'm2' order by message_id");
        assertThat(kinds.getValues("body_kind", String.class)).containsExactly("text", "value");
        assertThat(kinds.getValues("body", String.class)).containsExactly("a text", "{\"value\":{\"int\":\"7\"}}");
    }

    @Test
    void what_no_row_takes_stays_on_the_broker_and_keeps_nobody_else_there() throws Exception {
        fixture.execute("alter table $schema.dead_letter_message add check (subject is distinct from 'poison')");
        fixture.execute(
                "create function $schema.refuse() returns trigger language plpgsql as $$ begin"
                        + " if new.subject = 'poison' then raise exception 'no' using errcode = '22023'; end if; return new; end $$");
        fixture.execute("create trigger refuse before insert on $schema.dead_letter_message"
                + " for each row execute function $schema.refuse()");
        fixture.bury("orders", "r", message("m1", "1"), message("m2", "2").setSubject("poison"), message("m3", "3"));

        var turn = fixture.collector(fixture.deadLettersOf("orders"));

        await().until(() -> {
            turn.run(SOON);
            return fixture.deadLettersIn("orders") == 1;
        });
        assertThat(fixture.storedIds()).containsExactlyInAnyOrder("m1", "m3");
        assertThat(fixture.dsl
                        .fetchSingle("select failure_description from " + fixture.schema.table("dead_letter_entity"))
                        .get(0, String.class))
                .contains("no");
    }

    @Test
    void those_of_sessions_subscriptions_and_failed_transfers_come_home_too() throws Exception {
        fixture.send("wallets", message("w1", "1").setSessionId("s"));
        fixture.giveUpSession("wallets", "s", "r", 1);
        fixture.send("events", message("e1", "1"));
        fixture.giveUp("events", "audit", "r", 1);
        fixture.giveUp("events", "fraud", "r", 1);
        fixture.send("forwarding", message("f1", "1"));

        fixture.collect(fixture.deadLettersOf("wallets"));
        fixture.collect(fixture.deadLettersOf("events", "audit"));
        fixture.collect(fixture.deadLettersOf("events", "fraud"));
        fixture.collect(fixture.opened(
                ServiceBusDeadLetters.ofQueue(fixture::client, "forwarding").transfers()));

        assertThat(fixture.dsl
                        .fetch("select entity, transfer, session_id, message_id from "
                                + fixture.schema.table("dead_letter") + " order by id")
                        .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2) + " " + row.get(3)))
                .containsExactly(
                        "wallets false s w1",
                        "events/Subscriptions/audit false null e1",
                        "events/Subscriptions/fraud false null e1",
                        "forwarding true null f1");
    }

    @Test
    void a_collector_needs_nothing_but_the_grants_of_the_relay() throws Exception {
        fixture.bury("orders", "r", message("m1", "1"), message("m2", "2"));
        try (var role = new TemporaryRole(fixture.database, fixture.schema, Role.RELAY)) {
            DSLContext relays = fixture.schema.in(DSL.using(role.pool(), SQLDialect.POSTGRES));
            var unaware = fixture.collector(fixture.dyingAfterCommit(relays), fixture.deadLettersOf("orders"));
            assertThat(unaware.run(SOON).failure()).isInstanceOf(DeadLetterFixture.Crash.class);
            assertThat(fixture.storedIds()).isNotEmpty();
            assertThat(fixture.deadLettersIn("orders")).isEqualTo(2);

            // All of it comes again, and is looked up.
            await().until(() -> {
                fixture.bus.advance(Duration.ofMinutes(2));
                fixture.collect(fixture.collector(relays, fixture.deadLettersOf("orders")));
                return fixture.deadLettersIn("orders") == 0;
            });
            assertThat(fixture.storedIds()).containsExactlyInAnyOrder("m1", "m2");
        }
    }

    @Test
    @Tag("long")
    void an_outage_of_the_broker_is_told_and_survived() throws Exception {
        var queue = fixture.deadLettersOf("orders");
        var turn = fixture.collector(queue);
        turn.run(SOON);
        fixture.bury("orders", "r", message("m1", "1"));
        fixture.bus.suspend();
        await().atMost(Duration.ofSeconds(60)).until(() -> turn.run(SOON).failure() != null);

        assertThat(fixture.dsl
                        .fetchSingle("select failing_since from " + fixture.schema.table("dead_letter_entity"))
                        .get(0))
                .isNotNull();

        fixture.bus.resume();
        fixture.bus.advance(Duration.ofMinutes(2));
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            turn.run(SOON);
            return fixture.storedIds().contains("m1") && fixture.deadLettersIn("orders") == 0;
        });
        await().until(() -> {
            turn.run(SOON);
            return fixture.dsl
                            .fetchSingle("select failing_since from " + fixture.schema.table("dead_letter_entity"))
                            .get(0)
                    == null;
        });
    }

    private void runAndDrain() throws InterruptedException {
        var queue = fixture.deadLettersOf("orders");
        var turn = fixture.collector(queue);
        turn.run(SOON);
        assertThat(turn.drain(Duration.ofSeconds(40))).isTrue();
        queue.close();
    }

    private void assertCollectedOnce(String... ids) throws Exception {
        // A receiver that is on its way out may be given once more what comes back.
        await().until(() -> {
            fixture.bus.advance(Duration.ofMinutes(2));
            fixture.collect(fixture.deadLettersOf("orders"));
            return fixture.deadLettersIn("orders") == 0;
        });
        assertThat(fixture.storedIds()).containsExactlyInAnyOrder(ids);
    }
}
