package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody empties the lanes by mistake, as a clean-up between two tests does with all tables of a database. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LanesMadeAnewTest {
    private static final List<String> ALL =
            IntStream.range(0, 64).mapToObj(i -> "s" + i).toList();
    private static final String UNPUBLISHED = "outbox_message_status where status <> 'published'";

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @AfterEach
    void close() {
        outbox.closeRelays();
    }

    @Test
    void progress_counts_after_the_lanes_were_emptied_and_made_anew() {
        for (int round = 0; round < 3; round++) {
            var relay = outbox.relay(broker).started();
            relay.run();
            outbox.execute("update $schema.outbox_lane set epoch = epoch + 1, owner = null");
        }
        publish(outbox.relay(broker).started(), "a");
        outbox.execute("truncate $schema.outbox_lane");
        outbox.expireLeases();

        var successor = outbox.relay(broker).started();
        letLanesBeTaken();
        publish(successor, "b");

        assertThat(outbox.rowsIn(UNPUBLISHED)).isZero();
    }

    @Test
    void a_lane_that_was_deleted_is_not_taken_while_a_batch_of_its_former_owner_may_be_under_way() {
        publish(outbox.relay(broker).started(), "a");
        outbox.execute("delete from $schema.outbox_lane where bucket < 8");
        outbox.expireLeases();

        outbox.relay(broker).started();

        assertThat(outbox.rowsIn("outbox_lane where bucket < 8 and owner is null and available_at > clock_timestamp()"))
                .isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate $schema.outbox_lane",
                "truncate $schema.relay_instance, $schema.relay_beat, $schema.outbox_lane, $schema.outbox_progress,"
                        + " $schema.outbox_message, $schema.outbox_destination"
            })
    void a_relay_that_runs_goes_on_after_somebody_has_emptied_the_lanes(String harm, TestDatabase database) {
        try (Relay relay = Relay.builder(database.dataSource())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(1))
                .build()) {
            relay.start();
            append("a");
            await().until(() -> broker.arrived().size() == ALL.size());
            await().until(() -> outbox.rowsIn(UNPUBLISHED) == 0);

            outbox.execute(harm);
            await().until(() -> outbox.rowsIn("outbox_lane") == 32);
            letLanesBeTaken();
            append("b");

            await().atMost(Duration.ofSeconds(20)).until(() -> outbox.rowsIn(UNPUBLISHED) == 0);
        }
        assertThat(broker.arrived())
                .containsAll(ALL.stream().map(session -> "b-" + session).toList());
    }

    private void publish(OutboxFixture.RelayUnderTest relay, String prefix) {
        append(prefix);
        relay.run();
        outbox.letRecordingBeDue();
        relay.run();
    }

    private void append(String prefix) {
        ALL.forEach(session -> outbox.append(session, prefix + "-" + session));
    }

    /** The longest send is over. */
    private void letLanesBeTaken() {
        outbox.execute("update $schema.outbox_lane set available_at = '-infinity'");
    }
}
