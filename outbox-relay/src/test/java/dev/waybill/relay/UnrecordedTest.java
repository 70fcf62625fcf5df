package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that were sent cannot be recorded: a right was taken away, or a trigger raises. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UnrecordedTest {
    private static final String TRIGGER = """
            create function $schema.no() returns trigger language plpgsql as
            'begin raise exception ''audit: no space left''; end';
            create trigger no before insert on $schema.outbox_held_message for each row execute function $schema.no()""";

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        broker.refuse("poison");
    }

    @Test
    void sends_that_cannot_be_recorded_come_ever_more_rarely_and_the_state_stands_until_they_can() {
        var relay = outbox.relay(broker).started();
        var loop = outbox.loop(relay);
        outbox.execute(TRIGGER);
        outbox.append("p", "poison");
        outbox.append("q", "m1");

        int sends = 0;
        for (int second = 0; second < 60; second++) {
            int before = broker.arrived().size();
            stepForASecond(relay, loop);
            sends += second < 20 ? 0 : broker.arrived().size() - before;
            assertThat(relay.liveness().report().state()).isEqualTo("failing");
        }
        assertThat(sends).as("sends within 40 s").isBetween(4, 20);

        outbox.execute("drop trigger no on $schema.outbox_held_message");
        for (int second = 0; second < 6; second++) {
            stepForASecond(relay, loop);
        }
        assertThat(relay.liveness().report().state()).isIn("flowing", "idle");
        assertThat(outbox.rowsIn("outbox_held_message")).isOne();
    }

    private void stepForASecond(OutboxFixture.RelayUnderTest relay, DestinationLoop loop) {
        for (int i = 0; i < 20; i++) {
            loop.step();
            relay.heartbeat().beat();
            outbox.clock.advanceMillis(50);
        }
    }

    @Test
    void a_lane_that_is_recorded_does_not_end_the_trouble_of_one_that_is_not() {
        String other = outbox.sessionsOfOneBucket(1).get(0);
        assertThat(bucket(other)).isNotEqualTo(bucket("p"));
        var relay = outbox.relay(broker).started();
        var loop = outbox.loop(relay);
        outbox.execute(TRIGGER);
        outbox.append("p", "poison");
        stepForASecond(relay, loop);

        for (int second = 0; second < 20; second++) {
            outbox.append(other, "m" + second);
            stepForASecond(relay, loop);
            assertThat(relay.liveness().report().state()).isEqualTo("failing");
        }
    }

    private Object bucket(String session) {
        return outbox.dsl.fetchValue("select %s.outbox_bucket({0}, null)".formatted(outbox.schema), session);
    }

    @Test
    void a_failure_that_was_not_about_records_is_over_with_the_first_look_that_finds_nothing() {
        var breaking = new AtomicBoolean();
        UnaryOperator<String> once = sql -> breaking.getAndSet(false) ? "select 1 / 0" : sql;
        var relay = outbox.relay(broker, outbox.rewriting(once)).started();
        var loop = outbox.loop(relay);
        outbox.append("s", "m1");
        breaking.set(true);
        loop.step();
        assertThat(relay.liveness().report().state()).isEqualTo("failing");

        for (int second = 0; second < 2; second++) {
            stepForASecond(relay, loop);
        }

        assertThat(broker.arrived()).containsExactly("m1");
        assertThat(relay.liveness().report().state()).isEqualTo("flowing");
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "revoke insert on $schema.outbox_held_message from $schema_relay",
                TRIGGER,
                "revoke insert on $schema.outbox_progress from $schema_relay"
            })
    void what_cannot_be_recorded_raises_an_alarm_that_stands_and_sends_nothing_again_and_again(String harm)
            throws SQLException {
        try (var role = new TemporaryRole(database, outbox.schema, Role.RELAY);
                var relay = Relay.builder(role.pool())
                        .schema(outbox.schema)
                        .destination(OutboxFixture.DESTINATION)
                        .publisher(broker)
                        .build()) {
            relay.start();
            outbox.append("s", "m");
            await().until(() -> broker.arrived().contains("m"));
            outbox.execute(harm);
            outbox.append("p", "poison", "behind");
            List<String> ids = IntStream.range(0, 100).mapToObj(i -> "m" + i).toList();
            ids.forEach(id -> outbox.append("s" + id, id));
            await().untilAsserted(() -> assertThat(alarms()).containsExactly("database"));
            await().until(() -> broker.arrived().containsAll(ids));

            int before = broker.arrived().size();
            await().during(Duration.ofSeconds(8))
                    .atMost(Duration.ofSeconds(9))
                    .untilAsserted(() -> assertThat(alarms()).containsExactly("database"));
            assertThat(broker.arrived().size() - before).isLessThan(1_000);

            outbox.execute("grant insert on $schema.outbox_held_message, $schema.outbox_progress to $schema_relay");
            outbox.execute("drop trigger if exists no on $schema.outbox_held_message");
            await().atMost(Duration.ofSeconds(15))
                    .untilAsserted(() -> assertThat(alarms()).doesNotContain("database"));
        }
    }

    private List<String> alarms() {
        return outbox.dsl
                .fetch("select alarm from " + outbox.schema.table("relay_alarm") + " where alarm <> 'held'")
                .getValues(0, String.class);
    }
}
