package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replay beside transactions of an application that need more than one lock. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReplayDeadlockTest {
    private OutboxFixture outbox;
    private OutboxReplay replay;

    /** In the order in which a list takes their locks. */
    private List<String> sessions;

    private UUID run;

    @BeforeEach
    void publish_something(TestDatabase database) {
        outbox = new OutboxFixture(database);
        replay = OutboxReplay.of(database.dataSource(), outbox.schema);
        sessions = outbox.dsl
                .fetch(
                        "select s from unnest(array['a', 'b', 'c', 'd', 'e']) s order by hashtext('orders' || chr(31) || s)")
                .getValues(0, String.class);
        sessions.forEach(session -> outbox.append(session, "of-" + session));
        var relay = outbox.relay(new RecordingPublisher()).started();
        while (relay.run().published() > 0) {}
        run = replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "test");
    }

    @Test
    void a_writer_of_a_long_list_that_appends_to_a_session_of_a_copy_is_not_aborted() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.appendToManySessions(writer);
            var replaying = replaying();

            outbox.append(writer, sessions.get(0), "mine");
            outbox.commit(writer);

            assertThat(replaying.get(30, TimeUnit.SECONDS)).isEqualTo(5);
        }
        assertThat(appended()).containsSubsequence("mine", "of-" + sessions.get(0));
    }

    @Test
    void a_writer_that_appends_to_sessions_of_two_copies_one_after_the_other_is_not_aborted() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.append(writer, sessions.get(4), "mine-1");
            var replaying = replaying();

            outbox.append(writer, sessions.get(0), "mine-2");
            outbox.commit(writer);

            assertThat(replaying.get(30, TimeUnit.SECONDS)).isEqualTo(5);
        }
        assertThat(appended())
                .containsSubsequence("mine-1", "of-" + sessions.get(4))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_writer_that_appends_a_long_list_while_a_replay_waits_for_its_session_is_not_aborted() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            for (String session : sessions) {
                outbox.append(writer, session, "mine-" + session);
            }
            var replaying = replaying();

            outbox.appendToManySessions(writer);
            outbox.commit(writer);

            assertThat(replaying.get(30, TimeUnit.SECONDS)).isEqualTo(5);
        }
        assertThat(appended()).endsWith(copies());
    }

    @Test
    void copies_before_one_whose_session_is_in_use_are_appended_meanwhile() throws Exception {
        try (Connection writer = outbox.openImpatient()) {
            outbox.append(writer, sessions.get(3), "mine");

            assertThat(CompletableFuture.supplyAsync(() -> replay.step(run)).get(10, TimeUnit.SECONDS))
                    .isEqualTo(3);
            assertThat(appended()).containsExactly(Arrays.copyOf(copies(), 3));
            outbox.commit(writer);
        }
        assertThat(replay.finish(run)).isEqualTo(2);
    }

    private String[] copies() {
        return sessions.stream().map(session -> "of-" + session).toArray(String[]::new);
    }

    /** Returns when the replay waits for a lock. */
    private CompletableFuture<Long> replaying() {
        var replaying = CompletableFuture.supplyAsync(() -> replay.finish(run));
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> outbox.dsl.fetchExists(
                        DSL.table("pg_locks l left join pg_class c on c.oid = l.relation"),
                        DSL.condition("not l.granted and (l.locktype = 'advisory' and l.classid = 1463900482"
                                + " or c.relnamespace = '" + outbox.schema + "'::regnamespace)")));
        return replaying;
    }

    /** Ids of what came after the originals. */
    private List<String> appended() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_message") + " order by seq offset 5")
                .getValues(0, String.class);
    }
}
