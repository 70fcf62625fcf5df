package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replay that was interrupted goes on after the outbox was rebased. */
@ExtendWith(PostgresExtension.class)
class ReplayAcrossRebaseTest {
    private OutboxFixture outbox;

    @BeforeEach
    void publish_something(TestDatabase database) {
        outbox = new OutboxFixture(database);
        for (int i = 0; i < 6; i++) {
            outbox.append("s" + i, "m" + i);
        }
        publish();
    }

    @Test
    void a_replay_that_a_rebase_has_cut_short_leaves_no_row_out() {
        OutboxReplay replay = OutboxReplay.in(outbox.dsl, outbox.schema, 2);
        UUID run = replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "namespace lost");
        assertThat(replay.step(run)).isEqualTo(2);
        publish();

        rebase();
        long rest = replay.finish(run);

        assertThat(rest).isEqualTo(4);
    }

    @Test
    void a_replay_that_is_begun_after_a_rebase_takes_every_row() {
        OutboxReplay replay = OutboxReplay.in(outbox.dsl, outbox.schema, 2);
        rebase();
        UUID run = replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "namespace lost");
        assertThat(replay.finish(run)).isEqualTo(6);
    }

    @Test
    void a_second_rebase_sends_nothing_more_than_the_first() {
        outbox.append("s1", "pending");
        long first = rebase();
        long second = rebase();
        assertThat(second).isEqualTo(first).isEqualTo(1);
    }

    private long rebase() {
        outbox.expireLeases();
        return new OutboxHistory(outbox.dsl, outbox.schema).rebase();
    }

    private void publish() {
        outbox.expireLeases();
        var relay = outbox.relay(new RecordingPublisher()).started();
        while (relay.run().published() > 0) {}
    }
}
