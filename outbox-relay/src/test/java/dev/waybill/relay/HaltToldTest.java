package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A halt is recorded at a moment when a loop does not hear of it: in between its statement and its commit, or by a process that ends. */
@ExtendWith(PostgresExtension.class)
class HaltToldTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private RelayUnderTest relay;
    private DestinationLoop loop;

    @BeforeEach
    void start_a_relay_that_works(TestDatabase database) {
        outbox = new OutboxFixture(database);
        relay = outbox.relay(broker).started();
        outbox.append("s", "before");
        relay.run();
        loop = outbox.loop(relay);
        takeSteps();
    }

    @Test
    void a_loop_that_looks_while_the_halt_is_being_committed_stands_still_all_the_same() throws Exception {
        long seen = changes();
        changeHistory();
        delayTheCommitOfAHalt();
        CompletableFuture<Void> halting;
        try (Connection slow = outbox.open()) {
            DSL.using(slow, SQLDialect.POSTGRES).execute("select pg_advisory_xact_lock(815)");
            halting = CompletableFuture.runAsync(this::findTheChange);
            await().until(() -> changes() > seen);
            takeSteps();
            slow.rollback();
        }
        halting.join();

        takeSteps();
        outbox.append("s", "after");
        takeSteps();

        assertThat(broker.arrived()).containsExactly("before");
        assertThat(relay.liveness().report().state()).isEqualTo("history");
    }

    @Test
    void a_halt_of_a_process_that_ended_before_it_told_is_told_by_the_next_one_that_looks() {
        haltUntold();

        findTheChange();
        takeSteps();

        assertThat(relay.liveness().report().state()).isEqualTo("history");
    }

    @Test
    void what_is_sent_before_a_halt_is_told_is_not_recorded_and_tells_of_it() {
        haltUntold();
        long recorded = outbox.rowsIn("outbox_progress");
        outbox.append("s", "after");

        takeSteps();

        assertThat(outbox.rowsIn("outbox_progress")).isEqualTo(recorded);
        assertThat(relay.liveness().report().state()).isEqualTo("history");
    }

    @Test
    void held_messages_that_fall_due_after_a_halt_are_not_sent() {
        haltUntold();
        hold("held");

        takeSteps();

        assertThat(broker.arrived()).containsExactly("before");
        assertThat(outbox.rowsIn("hold where attempt_token is null")).isOne();
        assertThat(relay.liveness().report().state()).isEqualTo("history");
    }

    @Test
    void held_messages_that_are_on_their_way_at_a_halt_stay_held() {
        hold("held");
        broker.behave(shipment -> {
            haltUntold();
            return PublishResult.accepted(shipment.rows().size());
        });

        takeSteps();

        assertThat(broker.arrived()).containsExactly("before", "held");
        assertThat(outbox.rowsIn("outbox_held_message")).isOne();
        assertThat(relay.liveness().report().state()).isEqualTo("history");
    }

    private void takeSteps() {
        for (int i = 0; i < 3; i++) {
            outbox.clock.advanceMillis(1_000);
            relay.heartbeat().beat();
            loop.step();
        }
    }

    // As by another relay, for a destination that this one does not serve.
    private void changeHistory() {
        outbox.execute("insert into $schema.outbox_lane (destination, bucket, epoch) values ('stock', 0, 1)");
        outbox.execute("insert into $schema.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)"
                + " values ('stock', 0, 1, 100000, pg_current_snapshot(), pg_snapshot_xmax(pg_current_snapshot()))");
    }

    private void findTheChange() {
        var history = new OutboxHistory(outbox.dsl, outbox.schema);
        assertThatThrownBy(history::require).isInstanceOf(HistoryChangedException.class);
    }

    private void haltUntold() {
        outbox.execute("insert into $schema.outbox_halt (evidence) values ('planted')");
    }

    private void delayTheCommitOfAHalt() {
        outbox.execute("create function $schema.slow() returns trigger language plpgsql as"
                + " $f$ begin perform pg_advisory_xact_lock(815); return null; end $f$");
        outbox.execute("create constraint trigger slow after insert on $schema.outbox_halt"
                + " deferrable initially deferred for each row execute function $schema.slow()");
    }

    private void hold(String id) {
        outbox.execute("insert into $schema.outbox_hold (destination, session_id, state, reason)"
                + " values ('orders', 'h', 'retrying', 'Released')");
        outbox.execute(
                "insert into $schema.outbox_held_message (hold_id, origin_position, origin_time, session_id, message_id,"
                        + " headers, payload) select id, 1, now(), session_id, '" + id
                        + "', '{}', 'x' from $schema.outbox_hold");
    }

    private long changes() {
        return outbox.dsl
                .fetchSingle(
                        "select coalesce(pg_sequence_last_value('%s.outbox_lane_seq'), 0)".formatted(outbox.schema))
                .get(0, Long.class);
    }
}
