package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows with a sequence value that was drawn twice, as after a sequence was set back, are refused and replayed. */
@ExtendWith(PostgresExtension.class)
class RepeatedValueTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private List<String> sessions;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        sessions = outbox.sessionsOfOneBucket(2);
        outbox.execute("select setval('$schema.outbox_message_seq', 1000)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"m1", "m2"})
    void a_refused_message_whose_sequence_value_was_drawn_twice_is_the_one_that_is_held(String refused) {
        insert(3, sessions.get(0), "m1");
        insert(3, sessions.get(1), "m2");
        broker.refuse(refused);

        var relay = outbox.relay(broker).started();
        relay.run();
        outbox.clock.advanceMillis(60_000);
        relay.run();

        assertThat(held()).containsExactly(refused);
    }

    @Test
    void both_messages_of_a_value_are_held_if_both_are_refused() {
        insert(3, sessions.get(0), "m1");
        insert(3, sessions.get(0), "m2");
        broker.refuse("m1", "m2");

        var relay = outbox.relay(broker).started();
        relay.run();
        outbox.clock.advanceMillis(60_000);
        relay.run();

        assertThat(held()).containsExactlyInAnyOrder("m1", "m2");
        assertThat(broker.arrived()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 500})
    void messages_of_one_value_are_replayed_once_each(int batch) {
        insert(3, sessions.get(0), "m1");
        insert(3, sessions.get(1), "m2");
        insert(4, sessions.get(1), "m3");
        var relay = outbox.relay(broker).started();
        while (relay.run().published() > 0) {}
        assertThat(broker.arrived()).hasSize(3);
        OutboxReplay replay = OutboxReplay.in(outbox.dsl, outbox.schema, batch);
        UUID run = replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "test");

        replay.finish(run);

        assertThat(outbox.dsl
                        .fetch("select message_id from " + outbox.schema.table("outbox_message") + " where seq > 1000")
                        .getValues(0, String.class))
                .containsExactlyInAnyOrder("m1", "m2", "m3");
        assertThat(outbox.dsl
                        .fetch("select broker_message_id from " + outbox.schema.table("outbox_message")
                                + " where seq > 1000")
                        .getValues(0, String.class))
                .as("duplicate detection drops a second message under one id")
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_message_that_is_refused_after_a_rebase_is_held_and_not_another_of_its_value(int other) {
        outbox.append(sessions.get(1 - other), "m");
        outbox.relay(broker).started().run();
        outbox.execute("select setval('$schema.outbox_message_seq', 1000)");
        outbox.append(sessions.get(other), "n");
        outbox.expireLeases();
        new OutboxHistory(outbox.dsl, outbox.schema).rebase();
        broker.refuse("n");

        var relay = outbox.relay(broker).started();
        relay.run();
        outbox.clock.advanceMillis(60_000);
        relay.run();

        assertThat(held()).containsExactly("n");
    }

    private List<String> held() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_held_message"))
                .getValues(0, String.class);
    }

    private void insert(long seq, String session, String id) {
        outbox.dsl.execute(
                "insert into %s (seq, destination, session_id, message_id, payload) values (%d, '%s', '%s', '%s', 'x')"
                        .formatted(outbox.schema.table("outbox_message"), seq, OutboxFixture.DESTINATION, session, id));
    }
}
