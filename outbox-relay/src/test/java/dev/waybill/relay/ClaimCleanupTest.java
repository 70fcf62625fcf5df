package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClaimCleanupTest {
    private static final Duration RETENTION = Duration.ofHours(1);

    private final RecordingPublisher broker = new RecordingPublisher();
    private final TestClock clock = new TestClock();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ClaimCleanup.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private TestDatabase database;
    private OutboxFixture outbox;
    private ClaimStore store;
    private Outbox claiming;

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        store = ClaimStore.inPostgres(outbox.schema);
        claiming = Outbox.builder()
                .schema(outbox.schema)
                .destination(Destination.of(OutboxFixture.DESTINATION).withClaimsAbove(0))
                .claims(store)
                .build();
    }

    @Test
    void a_body_is_removed_when_its_message_was_published_a_retention_ago() {
        append("m1");
        publish();
        var cleanup = cleanup();
        cleanup.step();
        pass(RETENTION);

        cleanup.step();

        assertThat(kept()).isEmpty();
        assertThat(outbox.rowsIn("outbox_claim")).isZero();
    }

    @Test
    void a_body_is_kept_while_its_message_is_not_published_however_old_it_is() {
        append("m1");
        var cleanup = cleanup();
        for (int i = 0; i < 3; i++) {
            cleanup.step();
            pass(RETENTION);
        }

        assertThat(kept()).containsExactly("m1");
    }

    @Test
    void the_retention_runs_from_the_publication() {
        append("m1");
        pass(RETENTION.multipliedBy(10));
        publish();
        var cleanup = cleanup();
        cleanup.step();
        pass(RETENTION.minusMinutes(1));
        cleanup.step();
        assertThat(kept()).containsExactly("m1");

        pass(Duration.ofMinutes(2));
        cleanup.step();
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_body_whose_message_commits_late_is_kept_although_the_cursor_has_passed_it() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var cleanup = cleanup();
        try (Connection slow = outbox.open()) {
            claiming.append(slow, message("late", sessions.get(0)));
            outbox.append(sessions.get(1), "early");
            publish();
            outbox.commit(slow);
        }

        cleanup.step();
        pass(RETENTION);
        cleanup.step();

        assertThat(kept()).containsExactly("late");
    }

    @Test
    void a_body_is_kept_while_its_message_waits_for_its_time_and_until_it_is_published_then() {
        outbox.dsl.transaction(tx -> claiming.append(
                tx.dsl(),
                OutboxMessage.to(OutboxFixture.DESTINATION)
                        .id("m1")
                        .text("m1")
                        .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                        .build()));
        var cleanup = cleanup();
        cleanup.step();
        pass(RETENTION);
        cleanup.step();
        outbox.execute("update $schema.outbox_scheduled set due_at = clock_timestamp()");
        new Scheduling(
                        new ScheduledTable(outbox.dsl, outbox.schema, 10),
                        List.of(OutboxFixture.DESTINATION),
                        destination -> {},
                        new SplittableRandom(1))
                .step();
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(1);
        cleanup.step();
        pass(RETENTION);
        cleanup.step();
        assertThat(kept()).containsExactly("m1");

        publish();
        cleanup.step();
        pass(RETENTION);
        cleanup.step();
        assertThat(kept()).isEmpty();
    }

    @Test
    void the_body_of_a_cancelled_message_is_removed_a_retention_later() {
        outbox.dsl.transaction(tx -> claiming.append(
                tx.dsl(),
                OutboxMessage.to(OutboxFixture.DESTINATION)
                        .id("m1")
                        .text("m1")
                        .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                        .build()));
        outbox.dsl.transaction(tx -> claiming.cancel(tx.dsl(), OutboxFixture.DESTINATION, "m1"));
        var cleanup = cleanup();

        cleanup.step();
        pass(RETENTION);
        cleanup.step();

        assertThat(kept()).isEmpty();
    }

    @Test
    void a_body_is_kept_while_its_message_is_held() {
        append("m1");
        publish();
        var cleanup = cleanup();
        hold("m1");
        cleanup.step();
        pass(RETENTION);
        cleanup.step();
        assertThat(kept()).containsExactly("m1");

        outbox.execute("delete from $schema.inbox_hold");
        cleanup.step();
        assertThat(kept()).as("published, and the retention begins").containsExactly("m1");
    }

    @Test
    void a_body_is_kept_while_its_message_is_held_on_the_consumers_side_although_the_retention_has_passed() {
        append("m1");
        publish();
        var cleanup = cleanup();
        cleanup.step();
        hold("m1");
        pass(RETENTION);

        cleanup.step();

        assertThat(kept()).containsExactly("m1");
    }

    @Test
    void a_body_is_kept_as_long_as_a_dead_letter_names_it_although_the_retention_has_passed() {
        append("m1");
        publish();
        var cleanup = cleanup();
        cleanup.step();
        outbox.execute("with m as (insert into $schema.dead_letter_message"
                + " (key, entity, sequence_number, enqueued_at, message_id, payload, claim)"
                + " select gen_random_uuid(), 'orders', 1, now(), message_id, '', claim from $schema.outbox_claim"
                + " returning id) insert into $schema.dead_letter_state (id, state) select id, 'open' from m");
        pass(RETENTION);
        cleanup.step();
        assertThat(kept()).containsExactly("m1");

        outbox.execute("delete from $schema.dead_letter_state");
        outbox.execute("delete from $schema.dead_letter_message");
        cleanup.step();
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_rebase_keeps_the_bodies_of_what_it_sends_again() {
        append("m1");
        OutboxHistory.of(database.dataSource(), outbox.schema).rebase();
        var cleanup = cleanup();

        cleanup.step();
        pass(RETENTION);
        cleanup.step();

        assertThat(kept()).containsExactly("m1");
    }

    @Test
    void more_than_a_chunk_is_looked_at_and_removed_step_by_step() {
        for (int i = 0; i < 10; i++) {
            append("m" + i);
        }
        publish();
        append("pending");
        var cleanup =
                new ClaimCleanup(outbox.dsl, new ClaimTable(outbox.dsl, outbox.schema), store, RETENTION, 4, clock);
        assertThat(cleanup.step()).isEqualTo(Duration.ofMillis(100));
        cleanup.step();
        assertThat(cleanup.step()).isEqualTo(Duration.ofSeconds(10));
        pass(RETENTION);

        cleanup.step();
        assertThat(kept()).hasSize(7);
        cleanup.step();
        cleanup.step();

        assertThat(kept()).containsExactly("pending");
    }

    @Test
    void a_relay_that_dies_between_the_body_and_its_claim_leaves_a_claim_that_is_removed_again() {
        append("m1");
        publish();
        cleanup().step();
        pass(RETENTION);
        var dying = outbox.before("delete from " + outbox.schema + ".outbox_claim where", () -> {
            throw new IllegalStateException("dies");
        });
        cleanup(dying, store).step();
        assertThat(outbox.rowsIn("outbox_claim_body")).isZero();
        assertThat(outbox.rowsIn("outbox_claim")).isEqualTo(1);

        cleanup().step();

        assertThat(outbox.rowsIn("outbox_claim")).isZero();
    }

    @Test
    void a_store_that_fails_is_asked_again() {
        append("m1");
        publish();
        cleanup().step();
        pass(RETENTION);
        assertThat(cleanup(outbox.dsl, new Remover((connection, claims) -> {
                            throw new SQLException("the store is away");
                        }))
                        .step())
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(kept()).containsExactly("m1");

        cleanup().step();

        assertThat(kept()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto-commit off", "begin"})
    void a_store_that_does_not_commit_its_removal_loses_no_claim_and_is_told_of(String how) {
        append("m1");
        publish();
        cleanup().step();
        pass(RETENTION);
        cleanup(outbox.dsl, new Remover((connection, claims) -> {
                    if (how.equals("begin")) {
                        connection.createStatement().execute("begin");
                    } else {
                        connection.setAutoCommit(false);
                    }
                    store.remove(connection, claims);
                }))
                .step();
        assertThat(warnings()).singleElement().asString().contains("out of auto-commit mode");
        assertThat(kept()).containsExactly("m1");
        assertThat(outbox.rowsIn("outbox_claim")).isEqualTo(1);

        cleanup().step();

        assertThat(kept()).isEmpty();
        assertThat(outbox.rowsIn("outbox_claim")).isZero();
    }

    @Test
    void a_store_that_does_not_return_is_told_of_after_a_minute_and_when_it_has() {
        append("m1");
        publish();
        cleanup().step();
        pass(RETENTION);
        var cleanup = new ClaimCleanup[1];
        cleanup[0] = cleanup(outbox.dsl, new Remover((connection, claims) -> {
            clock.advanceMillis(59_000);
            cleanup[0].tellStandstill();
            assertThat(warnings()).isEmpty();
            clock.advanceMillis(2_000);
            cleanup[0].tellStandstill();
            cleanup[0].tellStandstill();
        }));

        cleanup[0].step();
        cleanup[0].tellStandstill();

        assertThat(warnings()).singleElement().asString().contains("has not returned for longer than 60 s");
        assertThat(lines.list).anyMatch(line -> line.getFormattedMessage().contains("The claim store answers again"));
    }

    @Test
    void the_relays_role_may_remove_what_nobody_needs() throws Exception {
        append("m1");
        publish();
        try (var role = new TemporaryRole(database, outbox.schema, Role.RELAY)) {
            var cleanup = cleanup(role.dsl(), store);
            cleanup.step();
            pass(RETENTION);
            cleanup.step();
        }

        assertThat(kept()).isEmpty();
    }

    @Test
    void a_running_relay_removes_bodies_when_it_is_told_to() {
        append("m1");
        try (var relay = Relay.builder(database.dataSource())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .claims(store, Duration.ofMillis(1))
                .build()) {
            outbox.relay(broker).started().run();
            outbox.expireLeases();
            relay.start();

            await().atMost(30, TimeUnit.SECONDS).until(() -> kept().isEmpty());
        }
    }

    private void append(String id) {
        outbox.dsl.transaction(tx -> claiming.append(tx.dsl(), message(id, id)));
    }

    private static OutboxMessage message(String id, String session) {
        return OutboxMessage.to(OutboxFixture.DESTINATION)
                .session(session)
                .id(id)
                .text(id)
                .build();
    }

    private void publish() {
        outbox.expireLeases();
        outbox.relay(broker).started().run();
    }

    /** As if so much time had gone by. */
    private void pass(Duration time) {
        outbox.execute("update $schema.outbox_claim set state_since = state_since - interval '" + time.toMillis()
                + " ms', created_at = created_at - interval '" + time.toMillis() + " ms'");
    }

    private void hold(String id) {
        outbox.execute("with held as (insert into $schema.inbox_hold (consumer, message_id, state, reason)"
                + " values ('consumer', '" + id + "', 'parked', 'r') returning id)"
                + " insert into $schema.inbox_held_message (hold_id, origin_position, origin_time, message_id, headers, payload)"
                + " select held.id, 1, now(), message_id, headers::text, payload from held, $schema.outbox_message"
                + " where message_id = '" + id + "'");
    }

    private List<String> kept() {
        return outbox.dsl
                .fetch("select convert_from(body, 'UTF8') from " + outbox.schema.table("outbox_claim_body"))
                .getValues(0, String.class);
    }

    private ClaimCleanup cleanup() {
        return cleanup(outbox.dsl, store);
    }

    private ClaimCleanup cleanup(DSLContext dsl, ClaimStore store) {
        return new ClaimCleanup(dsl, new ClaimTable(dsl, outbox.schema), store, RETENTION, 100, clock);
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private record Remover(Removal removal) implements ClaimStore {
        interface Removal {
            void remove(Connection connection, Collection<UUID> claims) throws SQLException;
        }

        @Override
        public void store(Connection tx, UUID claim, byte[] body) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<byte[]> load(Connection tx, UUID claim) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(Connection connection, Collection<UUID> claims) throws SQLException {
            removal.remove(connection, claims);
        }
    }
}
