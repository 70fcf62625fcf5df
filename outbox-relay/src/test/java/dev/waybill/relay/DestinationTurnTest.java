package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.WireContract;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class DestinationTurnTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void messages_of_a_session_arrive_in_commit_order() {
        String[] ids = IntStream.range(0, 350).mapToObj(i -> "m" + i).toArray(String[]::new);
        outbox.append("s", ids);
        var relay = outbox.relay(broker).started();

        while (relay.run().published() > 0) {}

        assertThat(broker.arrived()).containsExactly(ids);
    }

    @Test
    void a_row_that_commits_behind_the_cursor_is_not_skipped() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), "fast");

        relay.run();
        assertThat(broker.arrived()).containsExactly("fast");
        outbox.commit(slow);
        relay.run();
        relay.run();

        assertThat(broker.arrived()).containsExactly("fast", "slow");
    }

    @Test
    void a_row_whose_transaction_is_newer_than_the_snapshots_xmax_is_not_skipped() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        var older = outbox.open();
        DSL.using(older).execute("select pg_current_xact_id()");
        var newer = outbox.open();
        outbox.append(newer, sessions.get(0), "newer transaction, lower value");
        outbox.append(older, sessions.get(1), "older transaction, higher value");
        outbox.commit(older);

        relay.run();
        assertThat(broker.arrived()).containsExactly("older transaction, higher value");
        outbox.commit(newer);
        relay.run();

        assertThat(broker.arrived())
                .containsExactly("older transaction, higher value", "newer transaction, lower value");
    }

    @Test
    void a_late_row_is_not_skipped_by_the_relay_that_takes_over() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), "fast");
        outbox.relay(broker).started().run();
        outbox.expireLeases();
        outbox.commit(slow);

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("fast", "slow");
    }

    @Test
    void late_rows_beyond_a_page_all_arrive_before_anything_new() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(3);
        var relay = outbox.relay(broker, 1).started();
        var slow = outbox.open();
        // A page takes as many of them as there are lanes, and those behind it five times as many.
        int many = 2 * 5 * WireContract.BUCKETS + 3;
        String[] late = IntStream.range(0, many).mapToObj(i -> "late" + i).toArray(String[]::new);
        outbox.append(slow, sessions.get(0), late);
        outbox.append(sessions.get(1), "fast");
        relay.run();
        outbox.commit(slow);
        outbox.append(sessions.get(0), "new");

        assertThat(relay.run().published()).isEqualTo(many + 1);

        assertThat(broker.arrived()).startsWith("fast").endsWith("new").hasSize(many + 2);
        assertThat(broker.arrived().subList(1, many + 1)).containsExactly(late);
    }

    @Test
    void a_long_transaction_delays_only_its_own_rows() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        for (int i = 0; i < 5; i++) {
            outbox.append(sessions.get(1), "m" + i);
            relay.run();
        }

        assertThat(broker.arrived()).containsExactly("m0", "m1", "m2", "m3", "m4");
        slow.rollback();
        slow.close();
        assertThat(relay.run().published()).isZero();
    }

    @Test
    void a_crash_after_the_send_and_before_the_settle_repeats_the_same_ids_and_loses_nothing() {
        outbox.append("s", "m1", "m2");
        var crashing = new RecordingPublisher();
        crashing.behave(shipment -> {
            broker.publish(shipment);
            throw new IllegalStateException("crash");
        });
        var crashed = outbox.relay(crashing).started();

        assertThatThrownBy(crashed::run).hasMessage("crash");
        outbox.expireLeases();
        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m1", "m2");
    }

    @Test
    void what_is_settled_is_not_sent_again_by_the_next_relay() {
        outbox.append("s", "m1");
        outbox.relay(broker).started().run();
        outbox.expireLeases();
        outbox.append("s", "m2");

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    @Test
    void a_zombie_cannot_settle_after_its_bucket_was_taken() {
        outbox.append("s", "m1");
        var successor = outbox.relay(new RecordingPublisher());
        var zombie = outbox.relay(broker).started();
        broker.behave(shipment -> {
            outbox.expireLeases();
            successor.started();
            return PublishResult.accepted(1);
        });

        zombie.run();

        assertThat(outbox.dsl.fetchCount(DSL.table(outbox.schema.table("outbox_progress"))))
                .isZero();
        assertThat(successor.run().published()).isEqualTo(1);
        assertThat(zombie.run().published()).isZero();
    }

    @Test
    void a_partly_accepted_shipment_settles_what_arrived_and_repeats_the_rest_in_order() {
        outbox.append("s", "m1", "m2", "m3");
        var relay = outbox.relay(broker).started();
        broker.behave(shipment -> PublishResult.failed(1, new IllegalStateException("link lost")));

        assertThat(relay.run().failure()).hasMessage("link lost");
        broker.behave(shipment -> PublishResult.accepted(shipment.rows().size()));
        relay.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void a_late_row_that_was_not_accepted_is_not_forgotten() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), "fast");
        relay.run();
        outbox.commit(slow);
        outbox.append(sessions.get(1), "new");
        broker.behave(shipment -> PublishResult.failed(0, new IllegalStateException("busy")));
        relay.run();
        broker.behave(shipment -> PublishResult.accepted(shipment.rows().size()));

        relay.run();

        assertThat(broker.arrived()).containsExactly("fast", "slow", "new");
    }

    @Test
    void a_failing_lane_holds_up_no_other_lane() {
        outbox.append("s1", "m1");
        outbox.append("s2", "m2");
        var relay = outbox.relay(broker).started();
        broker.behave(shipment -> "m1".equals(shipment.rows().get(0).messageId())
                ? PublishResult.failed(0, new IllegalStateException("refused"))
                : PublishResult.accepted(shipment.rows().size()));

        relay.run();

        assertThat(broker.arrived()).containsExactly("m2");
    }

    @Test
    void two_relays_share_the_buckets_and_send_every_row_once() {
        var first = outbox.relay(broker).started();
        var second = outbox.relay(broker).started();
        first.started();
        second.started();
        for (int i = 0; i < 100; i++) {
            outbox.append("s" + i, "m" + i);
        }

        int byFirst = first.run().published();
        int bySecond = second.run().published();

        assertThat(byFirst).isPositive();
        assertThat(bySecond).isPositive();
        assertThat(broker.arrived()).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void no_transaction_is_open_while_the_broker_is_called() {
        outbox.append("s", "m1");
        var relay = outbox.relay(broker).started();
        broker.behave(shipment -> {
            assertThat(outbox.dsl.fetchCount(
                            DSL.table("pg_stat_activity"),
                            DSL.condition("state like 'idle in transaction%' and datname = current_database()")))
                    .isZero();
            return PublishResult.accepted(1);
        });

        assertThat(relay.run().published()).isEqualTo(1);
    }

    @Test
    void a_paused_destination_waits_and_goes_on_in_order() {
        var destinations = Destinations.of(database.dataSource(), outbox.schema);
        var relay = outbox.relay(broker).started();
        destinations.pause(OutboxFixture.DESTINATION, "the partner is migrating");
        outbox.append("s", "m1", "m2");

        assertThat(relay.run().published()).isZero();
        assertThat(destinations.paused()).containsEntry(OutboxFixture.DESTINATION, "the partner is migrating");
        assertThat(destinations.resume(OutboxFixture.DESTINATION)).isTrue();
        relay.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    @Test
    void a_row_that_commits_behind_the_cursor_while_its_destination_is_paused_is_not_skipped() throws Exception {
        var destinations = Destinations.of(database.dataSource(), outbox.schema);
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), "fast");
        relay.run();
        destinations.pause(OutboxFixture.DESTINATION, "the partner is migrating");
        outbox.commit(slow);
        relay.run();

        destinations.resume(OutboxFixture.DESTINATION);
        relay.run();

        assertThat(broker.arrived()).containsExactly("fast", "slow");
    }

    @Test
    void a_row_is_visible_as_pending_until_it_is_settled() {
        outbox.append("s", "m1");
        var relay = outbox.relay(broker).started();
        assertThat(statuses()).containsExactly("pending");

        relay.run();

        assertThat(statuses()).containsExactly("published");
    }

    private List<String> statuses() {
        return outbox.dsl
                .fetch("select status from " + outbox.schema.table("outbox_message_status") + " order by seq")
                .getValues("status", String.class);
    }
}
