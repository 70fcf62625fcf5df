package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replay whose step waits for an application's transaction. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AbandonWaitingReplayTest {
    private OutboxFixture outbox;
    private OutboxReplay replay;
    private UUID run;

    @BeforeEach
    void publish_something(TestDatabase database) {
        outbox = new OutboxFixture(database);
        outbox.append("s", "m1", "m2");
        outbox.relay(new RecordingPublisher()).started().run();
        replay = OutboxReplay.in(outbox.dsl, outbox.schema, 500);
        run = replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "test");
    }

    @Test
    void a_replay_that_waits_for_a_session_is_abandoned_at_once() throws Exception {
        try (Connection slow = outbox.open()) {
            outbox.append(slow, "s", "slow");
            var finishing = waiting(1, () -> replay.finish(run));

            assertThat(abandoned()).isTrue();

            slow.rollback();
            assertThat(finishing.get(30, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void a_replay_that_waits_for_a_long_list_is_abandoned_at_once() throws Exception {
        try (Connection slow = outbox.open()) {
            outbox.appendToManySessions(slow);
            var finishing = waiting(1, () -> replay.finish(run));

            assertThat(abandoned()).isTrue();

            slow.rollback();
            assertThat(finishing.get(30, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void two_steps_that_wait_for_the_same_session_append_no_row_twice() throws Exception {
        try (Connection slow = outbox.open()) {
            outbox.append(slow, "s", "slow");
            var first = waiting(1, () -> replay.step(run));
            var second = waiting(2, () -> replay.step(run));

            slow.rollback();

            assertThat(first.get(30, TimeUnit.SECONDS) + second.get(30, TimeUnit.SECONDS))
                    .isEqualTo(2);
        }
        assertThat(outbox.dsl.fetchCount(DSL.table(outbox.schema.table("outbox_message"))))
                .isEqualTo(4);
    }

    private boolean abandoned() throws Exception {
        return CompletableFuture.supplyAsync(() -> replay.abandon(run, new AuditContext("ada", "enough")))
                .get(10, TimeUnit.SECONDS);
    }

    /** Returns when so many wait for locks of applications. */
    private <T> CompletableFuture<T> waiting(int waiters, Supplier<T> work) {
        var future = CompletableFuture.supplyAsync(work);
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> outbox.dsl.fetchCount(
                                DSL.table("pg_locks l left join pg_class c on c.oid = l.relation"),
                                DSL.condition("not l.granted and (l.locktype = 'advisory' and l.classid = 1463900482"
                                        + " or c.relnamespace = '" + outbox.schema + "'::regnamespace)"))
                        == waiters);
        return future;
    }
}
