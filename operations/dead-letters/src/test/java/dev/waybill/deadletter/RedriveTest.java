package dev.waybill.deadletter;

import static dev.waybill.deadletter.collect.DeadLetterFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.deadletter.collect.CollectorTest;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RedriveTest {
    private static final AuditContext WORD = new AuditContext("ada", "fixed in 1.2");

    private final List<Relay> relays = new ArrayList<>();
    private DeadLetterFixture fixture;
    private Redrives redrives;
    private DeadLetters letters;

    @BeforeEach
    void start(TestDatabase database) {
        fixture = new DeadLetterFixture(
                database,
                bus -> bus.queue("orders", queue -> queue.duplicateDetection(Duration.ofMinutes(10)))
                        .queue("wallets", queue -> queue.requiresSession())
                        .queue("archive", queue -> queue)
                        .topic(
                                "events",
                                topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                                        .subscription("audit")
                                        .subscription("fraud")));
        fixture.served("orders", "wallets", "archive", "events");
        redrives = redrives(fixture.dsl);
        letters = DeadLetters.in(database.dataSource(), fixture.schema);
    }

    @AfterEach
    void stop() {
        relays.forEach(Relay::close);
        fixture.close();
    }

    @Test
    void a_redrive_inside_the_duplicate_window_arrives_where_the_naive_way_loses_it() throws Exception {
        fixture.bury("orders", "r", message("m1", "body"));
        fixture.collect(fixture.deadLettersOf("orders"));

        fixture.send("orders", message("m1", "body"));
        assertThat(fixture.bus.inspect("orders").active()).isZero();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        startRelay();

        var copy = receive("orders");
        assertThat(copy.getBody().toString()).isEqualTo("body");
        assertThat(copy.getMessageId()).isNotEqualTo("m1").startsWith("m1~");
        assertThat(copy.getApplicationProperties())
                .containsEntry(WireContract.LOGICAL_ID, "m1")
                .containsEntry(WireContract.REDRIVE_COUNT, 1L)
                .doesNotContainKeys("DeadLetterReason", "DeadLetterErrorDescription");
        assertThat(copy.getApplicationProperties().get(WireContract.REDRIVE_HISTORY))
                .asString()
                .contains("\"entity\":\"orders\"", "\"reason\":\"r\"");
    }

    @Test
    @Tag("long")
    void one_message_that_failed_in_two_subscriptions_is_redriven_for_both() throws Exception {
        fixture.send("events", message("e1", "body"));
        fixture.giveUp("events", "audit", "r", 1);
        fixture.giveUp("events", "fraud", "r", 1);
        fixture.collect(fixture.deadLettersOf("events", "audit"));
        fixture.collect(fixture.deadLettersOf("events", "fraud"));
        startRelay();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        for (String subscription : List.of("audit", "fraud")) {
            String path = "events/Subscriptions/" + subscription;
            await().until(() -> fixture.bus.inspect(path).active() == 2);
        }
        assertThat(fixture.bus.journal("events/Subscriptions/audit").stored())
                .extracting(Stored::messageId)
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("long")
    void the_original_order_inside_each_session_is_kept() throws Exception {
        for (int i = 0; i < 20; i++) {
            fixture.send(
                    "wallets",
                    message("a" + i, "").setSessionId("a"),
                    message("b" + i, "").setSessionId("b"));
        }
        fixture.giveUpSession("wallets", "b", "r", 20);
        fixture.giveUpSession("wallets", "a", "r", 20);
        fixture.collect(fixture.deadLettersOf("wallets"));
        startRelay();

        redrives(fixture.dsl, 7).redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        await().until(() -> fixture.bus.inspect("wallets").active() == 40);
        List<String> arrived = logicalIds("wallets", 40);
        for (String session : List.of("a", "b")) {
            assertThat(arrived)
                    .filteredOn(id -> id.startsWith(session))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 20).mapToObj(i -> session + i).toList());
        }
    }

    @Test
    void a_step_that_dies_before_its_commit_redrives_nothing_and_is_taken_again() throws Exception {
        bury(10);
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        for (String statement :
                List.of("with locked", "as i(id, place) join", "outbox_message", "operator_action", "set position")) {
            Redrives dying = redrives(fixture.dyingBefore(statement), 4);
            assertThatThrownBy(() -> dying.step(run)).isInstanceOf(DeadLetterFixture.Crash.class);
            assertThat(outboxIds()).isEmpty();
        }
        assertThatThrownBy(() -> redrives(fixture.dyingBeforeCommit(), 4).step(run))
                .isInstanceOf(DeadLetterFixture.Crash.class);

        redrives.finish(run);

        assertThat(outboxIds()).containsExactlyElementsOf(ids(10));
        assertThat(letters.count(DeadLetterFilter.open())).isZero();
    }

    @Test
    void a_run_that_is_interrupted_half_way_and_run_again_redrives_each_message_once() throws Exception {
        bury(10);
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        Redrives small = redrives(fixture.dsl, 3);
        small.step(run);
        assertThatThrownBy(() -> redrives(fixture.dyingAfterCommit(), 3).step(run))
                .isInstanceOf(DeadLetterFixture.Crash.class);

        assertThat(outboxIds()).containsExactlyElementsOf(ids(6));
        var finished = small.finish(run);

        assertThat(outboxIds()).containsExactlyElementsOf(ids(10));
        assertThat(finished.redriven()).isEqualTo(10);
        assertThat(finished.state()).isEqualTo(RedriveRun.State.DONE);
    }

    @Test
    void a_step_that_loses_a_deadlock_is_taken_again_and_told_of_once() throws Exception {
        bury(10);
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        fixture.execute("create sequence $schema.taken");
        fixture.execute("create function $schema.lose() returns trigger language plpgsql as $$ begin"
                + " if nextval('$schema.taken') = 2 then raise exception 'deadlock' using errcode = '40P01'; end if;"
                + " return new; end $$");
        fixture.execute("create trigger lose before update on $schema.dead_letter_redrive"
                + " for each row execute function $schema.lose()");
        var steps = new ArrayList<Integer>();

        redrives(fixture.dsl, 4).finish(run, step -> steps.add(step.redriven()));

        assertThat(steps).containsExactly(4, 4, 2);
        assertThat(outboxIds()).containsExactlyElementsOf(ids(10));
    }

    @Test
    @Tag("long")
    void two_runs_over_the_same_messages_redrive_each_once() throws Exception {
        bury(10);
        long one = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        long two = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toEntity("archive"), WORD);
        redrives(fixture.dsl, 4).step(one);

        assertThat(redrives.finish(two).redriven()).isEqualTo(6);
        assertThat(redrives.finish(one).redriven()).isEqualTo(4);
        assertThat(outboxIds()).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void a_canary_goes_ahead_and_the_rest_waits_for_a_word() throws Exception {
        bury(10);
        var order = RedriveRequest.toSource().withCanary(2);
        var paused = redrives.redrive(DeadLetterFilter.open(), order, WORD);

        assertThat(paused.state()).isEqualTo(RedriveRun.State.PAUSED);
        assertThat(outboxIds()).containsExactly("m0", "m1");
        assertThat(redrives.step(paused.id()).redriven()).isZero();

        redrives.resume(paused.id(), WORD);
        redrives.step(redrives.underWay().get(0).id());

        assertThat(outboxIds()).containsExactlyElementsOf(ids(10));
    }

    @Test
    void a_run_is_paused_resumed_and_abandoned() throws Exception {
        bury(10);
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        Redrives small = redrives(fixture.dsl, 4);
        small.step(run);
        assertThat(redrives.pause(run, WORD)).isTrue();
        assertThat(redrives.pause(run, WORD)).isFalse();
        assertThat(small.step(run).redriven()).isZero();
        assertThat(redrives.resume(run, WORD)).isTrue();
        assertThat(small.step(run).redriven()).isEqualTo(4);
        assertThat(redrives.abandon(run, WORD)).isTrue();

        assertThat(redrives.finish(run).state()).isEqualTo(RedriveRun.State.ABANDONED);
        assertThat(letters.count(DeadLetterFilter.open())).isEqualTo(2);
    }

    @Test
    void a_rate_lets_so_many_through_in_a_second() throws Exception {
        bury(10);
        long run = redrives.begin(
                DeadLetterFilter.open(), RedriveRequest.toSource().withRate(4), WORD);
        // As if a day had gone by: more than a second's worth is never due.
        fixture.execute("update $schema.dead_letter_redrive set paced_at = clock_timestamp() - interval '1 day'");

        var step = redrives.step(run);

        assertThat(step.redriven()).isEqualTo(4);
        assertThat(step.rest()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        fixture.execute("update $schema.dead_letter_redrive set paced_at = clock_timestamp() + interval '59 seconds'");
        assertThat(redrives.step(run).redriven()).isZero();
    }

    @Test
    void a_dry_run_says_what_would_happen_and_does_nothing() throws Exception {
        bury(3);
        fixture.send("events", message("e1", "body"));
        fixture.giveUp("events", "audit", "r", 1);
        fixture.collect(fixture.deadLettersOf("events", "audit"));

        var plan = redrives.plan(DeadLetterFilter.open(), RedriveRequest.toSource());

        assertThat(plan.isPossible()).isTrue();
        assertThat(plan.messages()).isEqualTo(4);
        assertThat(plan.destinations()).isEqualTo(Map.of("orders", 3L, "events", 1L));
        assertThat(letters.count(DeadLetterFilter.open())).isEqualTo(4);
        assertThat(outboxIds()).isEmpty();
    }

    @Test
    void a_destination_that_nobody_serves_fails_in_the_dry_run() throws Exception {
        bury(1);

        var plan = redrives.plan(DeadLetterFilter.open(), RedriveRequest.toEntity("nowhere"));

        assertThat(plan.isPossible()).isFalse();
        assertThat(plan.obstacles()).singleElement().asString().contains("'nowhere'");
        assertThatThrownBy(() -> redrives.begin(DeadLetterFilter.open(), RedriveRequest.toEntity("nowhere"), WORD))
                .isInstanceOf(RedriveRefusedException.class)
                .hasMessageContaining("nowhere");
        assertThat(redrives.underWay()).isEmpty();
    }

    @Test
    void what_the_outbox_cannot_carry_is_named_before_anything_goes() throws Exception {
        var message = message("m1", "body");
        message.getApplicationProperties().put("nul", "a\0b");
        fixture.bury("orders", "r", message, message("m2", "body"));
        fixture.collect(fixture.deadLettersOf("orders"));

        assertThatThrownBy(() -> redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD))
                .hasMessageContaining("NUL");
        redrives.redrive(DeadLetterFilter.open().messageId("m2"), RedriveRequest.toSource(), WORD);

        assertThat(outboxIds()).containsExactly("m2");
    }

    @Test
    @Tag("long")
    void a_message_that_keeps_dying_is_quarantined_until_an_operator_lets_it_go() throws Exception {
        startRelay();
        fixture.bury("orders", "r", message("m1", "body"));
        for (int round = 0; round < CollectorSettings.DEFAULT.mostRedrives(); round++) {
            fixture.collect(fixture.deadLettersOf("orders"));
            assertThat(redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD)
                            .redriven())
                    .isEqualTo(1);
            await().until(() -> fixture.bus.inspect("orders").active() == 1);
            fixture.giveUp("orders", null, "again", 1);
        }
        fixture.collect(fixture.deadLettersOf("orders"));

        var quarantined = DeadLetterFilter.everything().in(DeadLetter.State.QUARANTINED);
        assertThat(letters.count(quarantined)).isEqualTo(1);
        assertThat(redrives.plan(DeadLetterFilter.everything(), RedriveRequest.toSource()))
                .returns(0L, RedrivePlan::messages)
                .returns(1L, RedrivePlan::quarantined);
        assertThat(letters.release(quarantined, WORD)).isEqualTo(1);
        assertThat(redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD)
                        .redriven())
                .isEqualTo(1);
        long last = letters.list(DeadLetterFilter.everything(), 0, 10).get(3).id();
        assertThat(letters.history(last))
                .extracting(DeadLetter.AuditEntry::action)
                .containsExactly("release", "redrive");
    }

    @Test
    void every_body_and_property_arrives_byte_for_byte() throws Exception {
        byte[] large = new byte[256 * 1024];
        new Random(3).nextBytes(large);
        fixture.bus.createQueue("premium", queue -> queue.maxMessageBytes(1024 * 1024));
        fixture.served("premium");
        var types = new LinkedHashMap<>(StoredLetters.everyType());
        types.keySet().removeAll(List.of("text", "foreign"));
        types.putAll(CollectorTest.everyForeignType());
        var typed = new ServiceBusMessage(new byte[0]).setMessageId("typed").setSubject("s");
        typed.getApplicationProperties().putAll(types);
        fixture.bury("premium", "r", typed, new ServiceBusMessage(BinaryData.fromBytes(large)).setMessageId("large"));
        fixture.collect(fixture.deadLettersOf("premium"));
        startRelay("premium");

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        // Without sessions they come in any order.
        var some = List.of(receive("premium"), receive("premium"));
        assertThat(some)
                .extracting(message -> message.getBody().toBytes().length)
                .containsExactlyInAnyOrder(0, large.length);
        for (var message : some) {
            if (message.getBody().toBytes().length == 0) {
                assertThat(message.getApplicationProperties()).containsAllEntriesOf(types);
            } else {
                assertThat(message.getBody().toBytes()).isEqualTo(large);
            }
        }
    }

    @Test
    void a_text_comes_back_as_the_text_that_jms_takes() throws Exception {
        String chinese = "\u4e2d".repeat(2_000);
        var longText = new ServiceBusMessage(AmqpMessageBody.fromValue(chinese)).setMessageId("m2");
        // JMS would send it without; the client of this test cannot.
        longText.getApplicationProperties().put("room", "x".repeat(2_000));
        fixture.bury(
                "orders",
                "r",
                new ServiceBusMessage(AmqpMessageBody.fromValue("one")).setMessageId("m1"),
                longText,
                new ServiceBusMessage(AmqpMessageBody.fromValue("wrong")).setMessageId("m3"));
        fixture.collect(fixture.deadLettersOf("orders"));
        List<DeadLetter> stored = letters.list(DeadLetterFilter.open(), 0, 3);
        letters.edit(stored.get(1).id(), content -> content.withProperties(Map.of()), WORD);
        assertThatThrownBy(() -> letters.edit(stored.get(2).id(), content -> content.withBody(new byte[] {-1}), WORD))
                .hasMessageContaining("no UTF-8");
        letters.edit(stored.get(2).id(), content -> content.withBody("right".getBytes(StandardCharsets.UTF_8)), WORD);
        startRelay("orders");

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        var texts = new ArrayList<Object>();
        for (int i = 0; i < 3; i++) {
            ServiceBusReceivedMessage message = receive("orders");
            texts.add(message.getRawAmqpMessage().getBody().getValue());
            assertThat(message.getApplicationProperties()).doesNotContainKey(WireContract.BODY);
        }
        assertThat(texts).containsExactlyInAnyOrder("one", chinese, "right");
    }

    @Test
    void an_operator_can_do_all_this_without_the_owner(TestDatabase database) throws Exception {
        bury(3);
        fixture.execute("insert into $schema.inbox_consumer (name) values ('ledger')");
        try (var role = new TemporaryRole(database, fixture.schema, Role.OPERATOR)) {
            var operatorsLetters = DeadLetters.in(role.pool(), fixture.schema);
            var operatorsRedrives = Redrives.in(role.pool(), fixture.schema);
            assertThat(operatorsLetters.groups(
                            DeadLetterFilter.open(), DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON))
                    .hasSize(1);
            long first =
                    operatorsLetters.list(DeadLetterFilter.open(), 0, 1).get(0).id();
            operatorsLetters.edit(
                    first, content -> content.withBody("new".getBytes(java.nio.charset.StandardCharsets.UTF_8)), WORD);
            operatorsLetters.discard(DeadLetterFilter.id(first), WORD);
            operatorsLetters.reopen(DeadLetterFilter.id(first), WORD);
            operatorsRedrives.redrive(DeadLetterFilter.id(first), RedriveRequest.toConsumer("ledger"), WORD);
            operatorsRedrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

            assertThat(outboxIds()).containsExactly("m1", "m2");
            assertThat(operatorsLetters.history(first))
                    .extracting(DeadLetter.AuditEntry::action)
                    .containsExactly("edit", "discard", "reopen", "redrive");
        }
    }

    @Test
    void a_body_that_is_kept_outside_its_message_is_needed_again() throws Exception {
        var claim = java.util.UUID.randomUUID();
        fixture.execute(
                "insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes, state) values (gen_random_uuid(), '"
                        + claim + "', 'orders', 'm1', 1, 'published')");
        var message = message("m1", "");
        message.getApplicationProperties().put(WireContract.LOGICAL_ID, "m1");
        message.getApplicationProperties().put(WireContract.CLAIM, claim.toString());
        fixture.bury("orders", "r", message);
        fixture.collect(fixture.deadLettersOf("orders"));
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        assertThatThrownBy(
                        () -> redrives(fixture.dyingBefore("outbox_claim"), 4).step(run))
                .isInstanceOf(DeadLetterFixture.Crash.class);
        assertThat(outboxIds()).isEmpty();

        redrives.finish(run);

        assertThat(fixture.dsl
                        .fetch("select c.state from " + fixture.schema.table("outbox_claim") + " c join "
                                + fixture.schema.table("outbox_message") + " m on m.message_id = c.message_id")
                        .getValues(0, String.class))
                .containsExactly("needed");
    }

    @Test
    void an_edit_that_commits_while_a_step_waits_for_it_goes_with_the_copy() throws Exception {
        bury(1);
        long id = letters.list(DeadLetterFilter.open(), 0, 1).get(0).id();
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        var editing = new CountDownLatch(1);
        var stepWaits = new CountDownLatch(1);
        var edit = CompletableFuture.runAsync(() -> letters.edit(
                id,
                content -> {
                    editing.countDown();
                    await().until(() -> stepWaits.await(0, TimeUnit.SECONDS));
                    return content.withBody("edited".getBytes(StandardCharsets.UTF_8))
                            .withProperties(Map.of("edited", true));
                },
                WORD));
        editing.await();
        var step = CompletableFuture.supplyAsync(() -> redrives.step(run));
        await().until(() -> fixture.dsl
                .fetchSingle("select exists (select from pg_stat_activity"
                        + " where wait_event_type = 'Lock' and query like '%with locked%')")
                .get(0, Boolean.class));
        stepWaits.countDown();
        edit.join();

        assertThat(step.join().redriven()).isEqualTo(1);

        var copy = fixture.dsl.fetchSingle("select convert_from(payload, 'UTF8'), headers->>'edited' from "
                + fixture.schema.table("outbox_message"));
        assertThat(copy.get(0, String.class)).isEqualTo("edited");
        assertThat(copy.get(1, String.class)).isEqualTo("true");
    }

    @Test
    void a_message_that_was_appended_meanwhile_is_not_disturbed() throws Exception {
        bury(1);
        var outbox = dev.waybill.outbox.Outbox.builder().schema(fixture.schema).build();
        fixture.dsl.transaction(tx -> outbox.append(
                tx.dsl(), OutboxMessage.to("orders").id("fresh").text("x").build()));
        startRelay();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        await().until(() -> fixture.bus.inspect("orders").active() == 2);
    }

    private void bury(int count) throws InterruptedException {
        fixture.bury(
                "orders",
                "r",
                IntStream.range(0, count)
                        .mapToObj(i -> message("m" + i, "body"))
                        .toArray(ServiceBusMessage[]::new));
        fixture.collect(fixture.deadLettersOf("orders"));
    }

    private static List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }

    private List<String> outboxIds() {
        return fixture.dsl
                .fetch("select message_id from " + fixture.schema.table("outbox_message") + " order by seq")
                .getValues(0, String.class);
    }

    private List<String> logicalIds(String queue, int last) {
        List<Stored> stored = fixture.bus.journal(queue).stored();
        return stored.subList(stored.size() - last, stored.size()).stream()
                .map(Stored::messageId)
                .map(id -> id.substring(0, id.indexOf('~')))
                .toList();
    }

    private Redrives redrives(DSLContext dsl) {
        return redrives(dsl, 500);
    }

    private Redrives redrives(DSLContext dsl, int rows) {
        return Redrives.in(dsl, fixture.schema, rows);
    }

    private void startRelay(String... more) {
        var builder = Relay.builder(fixture.database.dataSource())
                .schema(fixture.schema)
                .destination("orders")
                .destination("wallets")
                .destination("events")
                .publisher(ServiceBusPublisher.of(fixture::client));
        for (String destination : more) {
            builder.destination(destination);
        }
        relays.add(builder.build().start());
    }

    private ServiceBusReceivedMessage receive(String queue) {
        try (var receiver = fixture.client()
                .receiver()
                .queueName(queue)
                .disableAutoComplete()
                .buildClient()) {
            var message = receiver.receiveMessages(1, Duration.ofSeconds(20)).stream()
                    .findFirst()
                    .orElseThrow();
            receiver.complete(message);
            return message;
        }
    }
}
