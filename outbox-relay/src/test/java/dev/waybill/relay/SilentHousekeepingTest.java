package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Something that only the housekeeping needs is taken away while the relay runs. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
@Tag("long")
class SilentHousekeepingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** More than a partition of the ring of beats holds, twice. */
    private static final int BEATS = 2_100;

    private final RecordingPublisher broker = new RecordingPublisher();
    private final AtomicInteger sent = new AtomicInteger();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @ParameterizedTest
    @CsvSource({
        "revoke truncate on $schema.outbox_message_0 from $schema_relay, grant truncate on $schema.outbox_message_0 to"
                + " $schema_relay, outbox_message_0",
        "alter table $schema.dead_letter_message enable row level security,"
                + " alter table $schema.dead_letter_message disable row level security, dead_letter_message"
    })
    void a_task_of_the_housekeeping_that_fails_raises_an_alarm_until_it_works_and_keeps_no_other_from_its_turn(
            String harm, String cure, String table, TestDatabase database) throws Exception {
        try (var role = new TemporaryRole(database, outbox.schema, Role.RELAY);
                var relay = relay(role)) {
            relay.start();
            send();
            outbox.execute(harm);
            outbox.enterNextPartition();
            send();
            outbox.enterNextPartition();
            outbox.execute("insert into $schema.relay_beat (relay, alive_until, serving, destinations, states, since,"
                    + " details) select gen_random_uuid(), 'epoch', '{}', '{}', '{}', '{}', '{}' from generate_series(1, "
                    + BEATS + ")");

            await().atMost(PATIENCE).until(() -> alarms().contains(table));
            await().atMost(PATIENCE).until(() -> outbox.rowsIn("relay_beat_0") == 0);
            send();
            outbox.execute(cure);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(alarms()).isEqualTo("[]"));
        }
    }

    private Relay relay(TemporaryRole role) {
        return Relay.builder(role.pool())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(3))
                .build();
    }

    private void send() {
        String id = "m" + sent.incrementAndGet();
        outbox.append("s", id);
        await().until(() -> broker.arrived().contains(id));
    }

    private String alarms() {
        return outbox.dsl
                .fetch("select detail from " + outbox.schema.table("relay_alarm")
                        + " where alarm = 'database' and destination is null")
                .getValues(0, String.class)
                .toString();
    }
}
