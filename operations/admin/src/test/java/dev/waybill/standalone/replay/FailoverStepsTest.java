package dev.waybill.standalone.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.journey.JourneyEntry;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.SearchTerm;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetainingRelay;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.schema.FeatureMissing;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a failover moves back, and what it leaves. */
@ExtendWith(PostgresExtension.class)
class FailoverStepsTest {
    private static final AuditContext WORD = new AuditContext("ada", "eu-1 is lost");
    private static final Optional<Instant> EVER = Optional.empty();

    private NewTables tables;
    private RetainingRelay relay;
    private Failover failover;
    private Destinations orders;

    @BeforeEach
    void start(TestDatabase given) {
        tables = new NewTables(given, Feature.RETENTION, Feature.CLAIMS);
        relay = new RetainingRelay(tables);
        failover = Failover.of(tables.dataSource(), tables.schema);
        orders = Destinations.of(tables.dataSource(), tables.schema);
    }

    private int moved(Optional<Instant> since) {
        Failover.Run run = failover.run("orders", since);
        int moved = 0;
        while (!run.isDone()) {
            moved += run.step();
        }
        return moved;
    }

    private List<String> sent() {
        relay.arrived.clear();
        relay.publish();
        return relay.arrived.stream().map(OutboxRow::messageId).toList();
    }

    @Test
    void what_has_expired_since_its_publication_does_not_come_back() {
        tables.append("orders", "s", "m1", "m2");
        relay.publish();
        tables.execute("update $.outbox_published set time_to_live = 60000, published_at = clock_timestamp()"
                + " - case message_id when 'm1' then interval '2 minutes' else interval '0' end");
        orders.pause("orders", WORD);

        assertThat(failover.extent("orders", EVER).again()).isEqualTo(1);
        assertThat(failover.extent("orders", EVER).exceptions().expired()).isEqualTo(1);
        assertThat(failover.first("orders", EVER, 9))
                .extracting(OutboxRow::messageId)
                .containsExactly("m2");
        assertThat(moved(EVER)).isEqualTo(1);
        orders.resume("orders", WORD);

        assertThat(sent()).containsExactly("m2");
    }

    @Test
    void a_relay_that_has_read_beyond_them_sends_the_moved_messages_first_and_under_their_own_ids() {
        tables.append("orders", "s", "m1", "m2");
        relay.publish();
        orders.pause("orders", WORD);
        tables.append("orders", "s", "m3");

        assertThat(moved(EVER)).isEqualTo(2);
        orders.resume("orders", WORD);

        assertThat(sent()).containsExactly("m1", "m2", "m3");
        assertThat(relay.arrived)
                .allSatisfy(row -> assertThat(row.brokerMessageId()).isEqualTo(row.messageId()));
    }

    @Test
    void nothing_moves_while_the_destination_is_not_paused() {
        tables.append("orders", "s", "m1");
        relay.publish();

        assertThatThrownBy(() -> moved(EVER)).hasMessageContaining("'orders' is not paused");
        assertThat(failover.extent("orders", EVER).again()).isEqualTo(1);
    }

    @Test
    void only_what_was_published_since_the_time_moves() {
        tables.append("orders", "s", "m1");
        relay.publish();
        tables.execute("update $.outbox_published set published_at = clock_timestamp() - interval '1 hour'");
        tables.append("orders", "s", "m2");
        relay.publish();
        Optional<Instant> since = Optional.of(Instant.now().minusSeconds(600));
        orders.pause("orders", WORD);

        assertThat(failover.first("orders", since, 10))
                .extracting(OutboxRow::messageId)
                .containsExactly("m2");
        assertThat(moved(since)).isEqualTo(1);
        assertThat(failover.extent("orders", EVER).again()).isEqualTo(1);
    }

    @Test
    void a_message_whose_claimed_body_is_gone_stays_and_another_keeps_its_body() {
        UUID gone = UUID.randomUUID();
        UUID kept = UUID.randomUUID();
        tables.append("orders", "s", "m1", "m2");
        relay.publish();
        tables.execute("update $.outbox_published set headers = case message_id when 'm1' then '{\"waybill-claim\":\""
                + gone + "\"}'::jsonb else '{\"waybill-claim\":\"" + kept + "\"}'::jsonb end");
        tables.execute("insert into $.outbox_claim (claim, message_id, destination, state, bytes, digest) values ('"
                + kept + "', 'm2', 'orders', 'published', 1, gen_random_uuid())");
        orders.pause("orders", WORD);

        assertThat(failover.extent("orders", EVER).exceptions().bodiless()).isEqualTo(1);
        assertThat(moved(EVER)).isEqualTo(1);
        assertThat(tables.dsl.fetchValue("select state from " + tables.schema + ".outbox_claim"))
                .isEqualTo("needed");
    }

    @Test
    void the_former_owner_settles_nothing_of_what_came_back() {
        tables.append("orders", "s", "m1");
        relay.publish();
        orders.pause("orders", WORD);
        long before = tables.one(Long.class, "select epoch from $.outbox_destination where destination = 'orders'");

        moved(EVER);

        assertThat(tables.one(Long.class, "select epoch from $.outbox_destination where destination = 'orders'"))
                .isGreaterThan(before);
    }

    @Test
    void a_sequence_that_was_reset_is_told_because_what_waits_would_come_first() {
        tables.append("orders", "s", "m1", "m2", "m3");
        relay.publish();
        assertThat(failover.extent("orders", EVER).sequenceReset()).isFalse();
        tables.execute("alter sequence $.outbox_seq restart with 1");
        tables.append("orders", "s", "n1");

        assertThat(failover.extent("orders", EVER).sequenceReset()).isTrue();
    }

    @Test
    void of_two_messages_with_one_value_the_second_stays_and_is_counted() {
        tables.append("orders", "s", "m1");
        relay.publish();
        tables.execute("insert into $.outbox_published (seq, destination, session_id, message_id, payload, created_at)"
                + " select seq, destination, 't', 'x1', payload, created_at from $.outbox_published");
        orders.pause("orders", WORD);

        assertThat(failover.extent("orders", EVER).again()).isEqualTo(2);
        assertThat(moved(EVER)).isEqualTo(1);
        assertThat(failover.extent("orders", EVER).again()).isEqualTo(1);
    }

    @Test
    void a_step_does_not_read_all_that_waits_whatever_the_statistics_say() {
        tables.append("orders", "s", "m1", "m2");
        relay.publish();
        tables.execute("analyze $.outbox_message, $.outbox_published");
        tables.append(
                "orders", "s", IntStream.range(0, 2_000).mapToObj(i -> "w" + i).toArray(String[]::new));
        orders.pause("orders", WORD);

        long read = tables.dsl.transactionResult(tx -> {
            assertThat(Failover.in(tx.dsl(), tables.schema).run("orders", EVER).step())
                    .isEqualTo(2);
            return tx.dsl()
                    .fetchSingle("select pg_stat_get_xact_tuples_returned('" + tables.schema
                            + ".outbox_message_pkey'::regclass)")
                    .get(0, Long.class);
        });

        assertThat(read).isLessThan(100);
    }

    @Test
    void two_operators_at_once_move_each_message_once_and_neither_takes_the_other_for_the_end() throws Exception {
        tables.append(
                "orders", "s", IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new));
        relay.publish();
        orders.pause("orders", WORD);
        try (Connection other = tables.open()) {
            tables.execute(other, "select from $.outbox_destination where destination = 'orders' for update");
            tables.execute(other, "delete from $.outbox_published where message_id = 'm0'");
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> moved(EVER));
            await().until(() -> tables.one(
                            Long.class,
                            "select count(*) from pg_locks where not granted and locktype = 'transactionid'")
                    > 0);
            other.commit();

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(49);
        }
    }

    @Test
    void what_a_relay_settles_while_a_step_waits_for_it_comes_back_too() throws Exception {
        tables.append("orders", "s", "m1");
        relay.publish();
        orders.pause("orders", WORD);
        try (Connection settling = tables.open()) {
            tables.execute(settling, "select from $.outbox_destination where destination = 'orders' for share");
            tables.execute(
                    settling,
                    "insert into $.outbox_published (seq, destination, session_id, message_id, payload, created_at)"
                            + " select seq + 1, destination, session_id, 'm2', payload, created_at from $.outbox_published");
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> moved(EVER));
            await().until(() -> tables.one(
                            Long.class,
                            "select count(*) from pg_locks where not granted and locktype = 'transactionid'")
                    > 0);
            settling.commit();

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        }
    }

    @Test
    void the_age_of_a_message_is_that_of_its_append_however_often_it_was_published() {
        tables.append("orders", "s", "m1");
        tables.execute("update $.outbox_message set created_at = clock_timestamp() - interval '6 days'");
        relay.publish();

        assertThat(failover.extent("orders", EVER).ages().written().orElseThrow())
                .isBefore(Instant.now().minusSeconds(5 * 86_400));
    }

    @Test
    void a_trace_shows_the_failover_of_what_had_been_published_and_not_of_what_was_appended_since() {
        tables.append("orders", "s", "m1");
        relay.publish();
        orders.pause("orders", WORD);
        tables.append("orders", "s", "m2");

        failover.begin("orders", failover.extent("orders", EVER), WORD);
        moved(EVER);
        assertThat(steps("m1")).containsExactly(Step.APPENDED, Step.FAILOVER, Step.WAITS);

        orders.resume("orders", WORD);
        relay.publish();
        assertThat(steps("m1")).containsExactly(Step.APPENDED, Step.FAILOVER, Step.PUBLISHED);
        assertThat(steps("m2")).containsExactly(Step.APPENDED, Step.PUBLISHED);
        assertThat(entries("m1").get(1).details())
                .containsEntry("operator", "ada")
                .containsEntry("messages", "1")
                .containsKeys("published from", "until");
    }

    private List<JourneyEntry> entries(String id) {
        return Journeys.in(tables.dataSource(), tables.schema)
                .of(SearchTerm.message(id), 100)
                .entries();
    }

    private List<Step> steps(String id) {
        return entries(id).stream().map(JourneyEntry::step).toList();
    }

    @Test
    void what_still_waits_after_a_failover_was_not_accepted() {
        tables.append("orders", "s", "m1", "m2");
        relay.publish();
        orders.pause("orders", WORD);
        failover.begin("orders", failover.extent("orders", EVER), WORD);
        moved(EVER);
        orders.resume("orders", WORD);
        publishFirst();

        assertThat(failover.completed("orders", failover.extent("orders", EVER)))
                .isEmpty();

        relay.publish();
        assertThat(failover.completed("orders", failover.extent("orders", EVER)))
                .isPresent();
    }

    // The broker accepts one message and no more.
    private void publishFirst() {
        try (Relay first = Relay.builder(tables.dataSource())
                .schema(tables.schema)
                .destination("orders")
                .retain("orders", Duration.ofDays(7))
                .publisher(new Publisher() {
                    @Override
                    public CompletionStage<PublishResult> publish(Shipment shipment) {
                        boolean one = shipment.rows().get(0).messageId().equals("m1");
                        return CompletableFuture.completedFuture(
                                PublishResult.failed(one ? 1 : 0, new IllegalStateException("full")));
                    }

                    @Override
                    public void close() {}
                })
                .build()) {
            assertThat(first.publishCommitted()).isEqualTo(1);
        }
    }

    @Test
    void what_was_ordered_to_be_erased_does_not_come_back() {
        tables.append("orders", "s", "m1");
        relay.publish();
        tables.execute("insert into $.erasure_order (digest, kind, applies_until, operator, reason) values "
                + "($.erasure_digest('session', 's'), 'session', clock_timestamp(), 'ada', 'a request')");
        orders.pause("orders", WORD);

        assertThat(moved(EVER)).isZero();
    }

    @Test
    void the_operators_grants_suffice() {
        tables.append("orders", "s", "m1");
        relay.publish();
        orders.pause("orders", WORD);
        tables.execute("create role failing_over");
        tables.execute(Role.OPERATOR.grants(tables.schema, "failing_over", Feature.RETENTION, Feature.CLAIMS));

        int moved = tables.dsl.transactionResult(tx -> {
            tx.dsl().execute("set local role failing_over");
            return Failover.in(tx.dsl(), tables.schema).run("orders", EVER).step();
        });

        assertThat(moved).isEqualTo(1);
        tables.execute("drop owned by failing_over; drop role failing_over");
    }

    @Test
    void without_the_feature_it_says_what_is_missing() {
        tables.execute("drop table $.outbox_published, $.outbox_replay");

        assertThatThrownBy(() -> failover.extent("orders", EVER))
                .isInstanceOf(FeatureMissing.class)
                .hasMessageContaining("retention");
    }
}
