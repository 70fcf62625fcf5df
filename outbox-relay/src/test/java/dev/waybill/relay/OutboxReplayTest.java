package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OutboxReplayTest {
    private static final AuditContext ADA = new AuditContext("ada", "enough");
    private static final ReplaySelection ALL = ReplaySelection.of(OutboxFixture.DESTINATION);

    private final RecordingPublisher lost = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;
    private OutboxReplay replay;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        replay = OutboxReplay.of(database.dataSource(), outbox.schema);
    }

    @Test
    void published_messages_are_sent_once_more_in_order_under_ids_of_their_own() {
        for (int i = 0; i < 30; i++) {
            outbox.append("s" + i % 3, "m" + i);
        }
        publish(lost);

        assertThat(replay.finish(replay.begin(ALL, "namespace lost"))).isEqualTo(30);

        var arrived = publish(new RecordingPublisher());
        assertThat(arrived).hasSize(30).doesNotHaveDuplicates().allMatch(WireContract::isRedriveId);
        for (int s = 0; s < 3; s++) {
            int session = s;
            assertThat(arrived.stream()
                            .map(OutboxReplayTest::logical)
                            .filter(id -> Integer.parseInt(id.substring(1)) % 3 == session))
                    .containsExactlyElementsOf(lost.arrived().stream()
                            .filter(id -> Integer.parseInt(id.substring(1)) % 3 == session)
                            .toList());
        }
    }

    @Test
    void a_copy_says_what_its_original_said() {
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(),
                OutboxMessage.to(OutboxFixture.DESTINATION)
                        .id("m")
                        .session("s")
                        .subject("Subject")
                        .timeToLive(Duration.ofSeconds(5))
                        .scheduledEnqueueTime(Instant.parse("2100-01-01T00:00:00Z"))
                        .header("h", 1L)
                        .text("body")
                        .build()));
        publish(lost);
        String columns = "destination, session_id, message_id, partition_key, subject, content_type, correlation_id,"
                + " to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload";

        replay.finish(replay.begin(ALL, "test"));

        var rows = outbox.dsl.fetch(
                "select " + columns + " from " + outbox.schema.table("outbox_message") + " order by seq");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(1).formatCSV()).isEqualTo(rows.get(0).formatCSV());
    }

    @Test
    void what_was_ordered_to_be_erased_is_not_copied() {
        outbox.append("s", "m1");
        outbox.append("s", "m2");
        publish(lost);
        UUID run = replay.begin(ALL, "test");
        outbox.dsl.execute("insert into " + outbox.schema.table("erasure_order")
                + " (digest, kind, applies_until, operator, reason) values ("
                + outbox.schema.table("erasure_digest")
                + "('message', 'm1'), 'message', 'infinity', 'ada', 'because')");

        replay.finish(run);

        assertThat(publish(new RecordingPublisher()).stream().map(OutboxReplayTest::logical))
                .containsExactly("m2");
    }

    @Test
    void what_is_not_published_yet_is_not_replayed() throws Exception {
        outbox.append("s", "published");
        var sessions = outbox.sessionsOfOneBucket(2);
        try (var slow = outbox.open()) {
            outbox.append(slow, sessions.get(0), "late");
            outbox.append(sessions.get(1), "early");
            publish(lost);
            outbox.commit(slow);
        }
        outbox.append("s", "pending");
        assertThat(replay.count(ALL)).isEqualTo(new ReplayCount(2, 2, 2, 0, 1, 3));

        replay.finish(replay.begin(ALL, "test"));

        assertThat(publish(new RecordingPublisher()).stream().map(OutboxReplayTest::logical))
                .containsExactlyInAnyOrder("published", "early", "late", "pending");
    }

    @Test
    void what_is_published_or_appended_after_the_beginning_does_not_belong_to_the_run() {
        outbox.append("s", "m1");
        publish(lost);
        outbox.append("s", "m2");
        UUID run = replay.begin(ALL, "test");
        outbox.append("s", "m3");
        publish(lost);

        assertThat(replay.finish(run)).isEqualTo(1);
    }

    @Test
    void what_is_held_is_not_replayed() {
        outbox.append("s", "m1", "m2");
        publish(lost);
        outbox.execute("with held as (insert into $schema.outbox_hold (destination, session_id, state, reason)"
                + " values ('orders', 's', 'parked', 'r') returning id)"
                + " insert into $schema.outbox_held_message (hold_id, origin_position, origin_time, message_id, payload)"
                + " select held.id, seq, created_at, message_id, payload from held, $schema.outbox_message"
                + " where message_id = 'm2'");

        assertThat(replay.count(ALL)).isEqualTo(new ReplayCount(1, 1, 1, 0, 1, 1));
        assertThat(replay.finish(replay.begin(ALL, "test"))).isEqualTo(1);
    }

    @Test
    void a_selection_takes_what_it_names() {
        outbox.append("a", "a1", "a2");
        outbox.append("b", "b1");
        publish(lost);
        outbox.execute("update $schema.outbox_message set created_at = '2020-01-01T00:00:00Z' where message_id = 'a1'");
        var noon = Instant.parse("2020-01-01T12:00:00Z");

        assertThat(count(ALL.ofSession("a"))).isEqualTo(2);
        assertThat(count(ALL.ofSession("none"))).isZero();
        assertThat(count(ALL.until(noon))).isEqualTo(1);
        assertThat(count(ALL.from(noon))).isEqualTo(2);
        assertThat(count(ALL.from(noon).ofSession("a"))).isEqualTo(1);
        assertThat(count(ALL.between(2, 3))).isEqualTo(2);
        assertThat(count(ReplaySelection.of("elsewhere"))).isZero();
    }

    @Test
    void a_replay_can_be_replayed() {
        outbox.append("s", "m1");
        publish(lost);
        replay.finish(replay.begin(ALL, "first"));
        publish(lost);

        assertThat(replay.finish(replay.begin(ALL, "second"))).isEqualTo(2);

        assertThat(outbox.dsl
                        .fetch("select broker_message_id from " + outbox.schema.table("outbox_message"))
                        .getValues(0, String.class))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_long_id_is_shortened_and_stays_the_logical_id() {
        String id = "x".repeat(128);
        outbox.append("s", id);
        publish(lost);

        replay.finish(replay.begin(ALL, "test"));

        var copy = publish(new RecordingPublisher()).get(0);
        assertThat(copy).hasSize(128).matches(WireContract::isRedriveId);
        assertThat(outbox.dsl
                        .fetch("select distinct message_id from " + outbox.schema.table("outbox_message"))
                        .getValues(0, String.class))
                .containsExactly(id);
    }

    @Test
    void a_run_that_dies_in_any_step_goes_on_and_replays_no_row_twice() {
        for (int i = 0; i < 10; i++) {
            outbox.append("s", "m" + i);
        }
        publish(lost);
        UUID run = small().begin(ALL, "test");
        small().step(run);
        for (String statement : List.of("select m.seq", "insert into", "update " + outbox.schema + ".outbox_claim")) {
            var dying = outbox.before(statement, () -> CommitPoint.killOpenTransactions(outbox));
            assertThatThrownBy(() -> OutboxReplay.in(dying, outbox.schema, 3).step(run))
                    .isInstanceOf(RuntimeException.class);
        }
        var beforeTheCommit = CommitPoint.before(outbox.dsl, () -> CommitPoint.killOpenTransactions(outbox));
        assertThatThrownBy(
                        () -> OutboxReplay.in(beforeTheCommit, outbox.schema, 3).step(run))
                .isInstanceOf(RuntimeException.class);
        var lostReply = CommitPoint.withLostReply(outbox.dsl);
        assertThatThrownBy(() -> OutboxReplay.in(lostReply, outbox.schema, 3).step(run))
                .isInstanceOf(RuntimeException.class);

        assertThat(replay.open()).containsExactly(run);
        assertThat(small().finish(run)).isEqualTo(4);

        assertThat(replay.open()).isEmpty();
        assertThat(publish(new RecordingPublisher()).stream().map(OutboxReplayTest::logical))
                .containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    }

    @Test
    void two_operators_who_take_steps_of_one_run_replay_no_row_twice() {
        for (int i = 0; i < 60; i++) {
            outbox.append("s" + i % 5, "m" + i);
        }
        publish(lost);
        UUID run = small().begin(ALL, "test");

        var both = List.of(
                CompletableFuture.supplyAsync(() -> small().finish(run)),
                CompletableFuture.supplyAsync(() -> small().finish(run)));

        assertThat(both.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(60);
        assertThat(publish(new RecordingPublisher())).hasSize(60);
    }

    @Test
    void a_run_waits_for_a_transaction_that_has_appended_to_its_session() throws Exception {
        outbox.append("s", "m1");
        publish(lost);
        UUID run = replay.begin(ALL, "test");
        try (var writer = outbox.open()) {
            outbox.append(writer, "s", "m2");
            var steps = CompletableFuture.supplyAsync(() -> replay.finish(run));
            org.awaitility.Awaitility.await()
                    .until(() -> outbox.dsl.fetchExists(
                            DSL.table("pg_locks"),
                            DSL.condition("locktype = 'advisory' and classid = 1463900482 and not granted")));
            outbox.commit(writer);
            assertThat(steps.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        }

        assertThat(publish(new RecordingPublisher()).stream().map(OutboxReplayTest::logical))
                .containsExactly("m2", "m1");
    }

    @Test
    void the_ring_keeps_what_an_open_run_still_wants() {
        outbox.append("s", "m1");
        publish(lost);
        UUID run = replay.begin(ALL, "test");
        outbox.enterNextPartition();
        outbox.append("s", "m2");
        publish(lost);
        var ring = Ring.ofMessages(outbox.dsl, outbox.schema);
        assertThat(ring.turn()).isEmpty();

        replay.finish(run);
        assertThat(ring.turn()).containsExactly(0);
    }

    @Test
    void an_abandoned_run_lets_the_ring_go_on_and_takes_no_further_step() {
        outbox.append("s", "m1");
        publish(lost);
        UUID run = replay.begin(ALL, "test");
        assertThat(replay.abandon(run, ADA)).isTrue();
        assertThat(replay.abandon(run, ADA)).isFalse();
        outbox.enterNextPartition();
        outbox.append("s", "m2");
        publish(lost);

        assertThat(Ring.ofMessages(outbox.dsl, outbox.schema).turn()).containsExactly(0);
        assertThat(replay.step(run)).isZero();
    }

    @Test
    void history_stays_in_the_ring_as_long_as_it_is_asked_for() {
        var ring = Ring.ofMessages(outbox.dsl, outbox.schema, 2);
        for (int i = 0; i < 4; i++) {
            outbox.append("s", "m" + i);
            outbox.enterNextPartition();
        }
        outbox.append("s", "last");
        publish(lost);

        assertThat(ring.turn()).containsExactly(0, 1);
        assertThat(count(ALL)).isEqualTo(3);
    }

    @Test
    void bodies_that_are_kept_outside_are_kept_for_the_copies_and_missing_ones_are_counted() {
        var store = ClaimStore.inPostgres(outbox.schema);
        var claiming = Outbox.builder()
                .schema(outbox.schema)
                .destination(Destination.of(OutboxFixture.DESTINATION).withClaimsAbove(0))
                .claims(store)
                .build();
        for (String id : List.of("m1", "m2")) {
            outbox.dsl.transaction(tx -> claiming.append(
                    tx.dsl(),
                    OutboxMessage.to(OutboxFixture.DESTINATION).id(id).text(id).build()));
        }
        publish(lost);
        var cleanup = new ClaimCleanup(
                outbox.dsl,
                new ClaimTable(outbox.dsl, outbox.schema),
                store,
                Duration.ofHours(1),
                100,
                System::nanoTime);
        cleanup.step();
        outbox.execute("delete from $schema.outbox_claim where message_id = 'm2'");
        assertThat(replay.count(ALL).missingBodies()).isEqualTo(1);

        replay.finish(replay.begin(ALL, "test"));
        outbox.execute("update $schema.outbox_claim set state_since = state_since - interval '1 day'");
        cleanup.step();

        assertThat(outbox.dsl
                        .fetch("select state from " + outbox.schema.table("outbox_claim"))
                        .getValues(0, String.class))
                .containsExactly("needed");
    }

    @Test
    void an_unknown_run_is_an_error() {
        var unknown = UUID.randomUUID();

        assertThatThrownBy(() -> replay.step(unknown)).hasMessageContaining(unknown.toString());
    }

    @Test
    void the_operators_role_may_replay() throws Exception {
        outbox.append("s", "m1");
        publish(lost);
        try (var role = new TemporaryRole(database, outbox.schema, Role.OPERATOR)) {
            var operators = OutboxReplay.of(role.pool(), outbox.schema);
            assertThat(operators.count(ALL).published()).isEqualTo(1);
            assertThat(operators.finish(operators.begin(ALL, "test"))).isEqualTo(1);
            assertThat(operators.abandon(operators.begin(ALL, "test"), ADA)).isTrue();
        }
        assertThat(outbox.dsl
                        .fetch("select changed_at from " + outbox.schema.table("outbox_replay"))
                        .getValues(0, OffsetDateTime.class))
                .hasSize(2);
    }

    private OutboxReplay small() {
        return OutboxReplay.in(outbox.dsl, outbox.schema, 3);
    }

    private long count(ReplaySelection selection) {
        return replay.count(selection).published();
    }

    private List<String> publish(RecordingPublisher broker) {
        outbox.expireLeases();
        var relay = outbox.relay(broker).started();
        while (relay.run().published() > 0) {}
        return new ArrayList<>(broker.arrived());
    }

    private static String logical(String brokerId) {
        int end = brokerId.lastIndexOf('~');
        return end < 0 ? brokerId : brokerId.substring(0, end);
    }
}
