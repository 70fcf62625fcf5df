package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replay of large bodies: whoever appends to a session of a step waits until all of it is written. */
@ExtendWith(PostgresExtension.class)
class LargeBodiesReplayTest {
    private static final int BODY = 250_000;

    private OutboxFixture outbox;
    private OutboxReplay replay;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        replay = OutboxReplay.of(database.dataSource(), outbox.schema);
    }

    @Test
    void a_step_takes_no_more_large_bodies_than_are_written_soon() {
        append(40, BODY);
        UUID run = begin();

        assertThat(replay.step(run)).isEqualTo((int) (ReplayBatch.MOST_BYTES / BODY));
        assertThat(replay.finish(run)).isEqualTo(40 - ReplayBatch.MOST_BYTES / BODY);
    }

    @Test
    void a_body_that_is_larger_than_a_step_goes_alone() {
        append(2, (int) ReplayBatch.MOST_BYTES + 1);
        UUID run = begin();

        assertThat(replay.step(run)).isEqualTo(1);
        assertThat(replay.step(run)).isEqualTo(1);
        assertThat(replay.step(run)).isZero();
    }

    @Test
    void rows_of_one_value_go_together_however_large() {
        outbox.append("s", "m0");
        outbox.execute("select setval('$schema.outbox_message_seq', 100)");
        append(1, (int) ReplayBatch.MOST_BYTES);
        outbox.execute("select setval('$schema.outbox_message_seq', 100)");
        append(1, (int) ReplayBatch.MOST_BYTES);
        UUID run = begin();

        assertThat(replay.step(run)).isEqualTo(1);
        assertThat(replay.step(run)).isEqualTo(2);
        assertThat(replay.step(run)).isZero();
    }

    private void append(int count, int bytes) {
        outbox.execute("insert into $schema.outbox_message (destination, session_id, message_id, payload)"
                + " select 'orders', 's' || n, gen_random_uuid()::text, convert_to(repeat('x', " + bytes + "), 'UTF8')"
                + " from generate_series(1, " + count + ") n");
    }

    private UUID begin() {
        var relay = outbox.relay(new RecordingPublisher()).started();
        while (relay.run().published() > 0) {}
        return replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "test");
    }
}
