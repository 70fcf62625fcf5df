package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A re-drive and an erasure beside transactions of an application that need more than one lock. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class RedriveDeadlockTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");

    private StoredLetters stored;
    private Redrives redrives;
    private Outbox outbox;

    /** In the order in which a list takes their locks. */
    private List<String> sessions;

    private long run;

    @BeforeEach
    void bury_something(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.served("orders");
        redrives = Redrives.in(database.dataSource(), stored.schema);
        outbox = Outbox.builder().schema(stored.schema).build();
        sessions = stored.texts(
                "select s from unnest(array['a', 'b', 'c', 'd']) s order by hashtext('orders' || chr(31) || s)");
        sessions.forEach(
                session -> stored.add("orders", "Bad", MessageContent.of("of-" + session, session, new byte[] {1})));
        run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
    }

    @Test
    void a_writer_of_a_long_list_that_appends_to_a_session_of_a_copy_is_not_aborted() throws Exception {
        try (Connection writer = impatient()) {
            appendLongList(writer);
            var redriving = redriving();

            append(writer, sessions.get(0), "mine");
            writer.commit();

            assertThat(redriving.get(30, TimeUnit.SECONDS).redriven()).isEqualTo(4);
        }
        assertThat(appended()).containsSubsequence("mine", "of-" + sessions.get(0));
    }

    @Test
    void a_writer_that_appends_to_sessions_of_two_copies_one_after_the_other_is_not_aborted() throws Exception {
        try (Connection writer = impatient()) {
            append(writer, sessions.get(3), "mine-1");
            var redriving = redriving();

            append(writer, sessions.get(0), "mine-2");
            writer.commit();

            assertThat(redriving.get(30, TimeUnit.SECONDS).redriven()).isEqualTo(4);
        }
        assertThat(appended())
                .containsSubsequence("mine-1", "of-" + sessions.get(3))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_writer_that_appends_a_long_list_while_a_redrive_waits_for_its_session_is_not_aborted() throws Exception {
        try (Connection writer = impatient()) {
            for (String session : sessions) {
                append(writer, session, "mine-" + session);
            }
            var redriving = redriving();

            appendLongList(writer);
            writer.commit();

            assertThat(redriving.get(30, TimeUnit.SECONDS).redriven()).isEqualTo(4);
        }
        assertThat(appended()).endsWith("of-" + sessions.get(2), "of-" + sessions.get(3));
    }

    @Test
    void letters_before_one_whose_session_is_in_use_go_meanwhile_and_it_stays_open() throws Exception {
        try (Connection writer = impatient()) {
            append(writer, sessions.get(2), "mine");

            assertThat(CompletableFuture.supplyAsync(() -> redrives.step(run))
                            .get(10, TimeUnit.SECONDS)
                            .redriven())
                    .isEqualTo(2);

            assertThat(appended()).containsExactly("of-" + sessions.get(0), "of-" + sessions.get(1));
            assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(2);
            writer.commit();
        }
        assertThat(redrives.finish(run).redriven()).isEqualTo(4);
        assertThat(redrives.show(run).orElseThrow().state()).isEqualTo(RedriveRun.State.DONE);
    }

    @Test
    void a_writer_that_cancels_two_scheduled_messages_while_both_are_erased_is_not_aborted() throws Exception {
        for (String id : List.of("first", "second")) {
            stored.execute("insert into $schema.outbox_scheduled (due_at, destination, session_id, message_id, payload)"
                    + " values ('2100-01-01', 'orders', 's', '" + id + "', 'x')");
        }
        var erasure = Erasure.in(stored.database.dataSource(), stored.schema);
        try (Connection writer = impatient()) {
            // The erasure gives up after a millisecond, which a busy machine makes longer.
            writer.createStatement().execute("set local deadlock_timeout = '500ms'");
            assertThat(outbox.cancel(writer, "orders", "second")).isTrue();
            var erasing = waiting(() ->
                    erasure.erase(ErasureRequest.session("s").withLive(), WORD).removed());

            outbox.cancel(writer, "orders", "first");
            writer.rollback();

            assertThat(erasing.get(30, TimeUnit.SECONDS)).containsEntry(ErasureReport.Place.SCHEDULED, 2L);
        }
        assertThat(stored.texts("select message_id from $schema.outbox_scheduled"))
                .isEmpty();
    }

    private Connection impatient() throws SQLException {
        Connection writer = stored.database.dataSource().getConnection();
        writer.setAutoCommit(false);
        // Its own search for a deadlock comes first, so that it would be the one to be aborted.
        writer.createStatement().execute("set local deadlock_timeout = '10ms'");
        return writer;
    }

    private void append(Connection writer, String session, String id) {
        outbox.append(
                writer,
                OutboxMessage.to("orders").session(session).id(id).text("x").build());
    }

    private void appendLongList(Connection writer) {
        outbox.append(
                writer,
                IntStream.range(0, 1_001)
                        .mapToObj(i -> OutboxMessage.to("orders")
                                .session("t" + i)
                                .id("t" + i)
                                .text("x")
                                .build())
                        .toList());
    }

    private CompletableFuture<RedriveRun> redriving() {
        return waiting(() -> redrives.finish(run));
    }

    /** Returns when it waits for a lock. */
    private <T> CompletableFuture<T> waiting(Callable<T> deed) {
        var future = CompletableFuture.supplyAsync(() -> {
            try {
                return deed.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> !stored.texts(
                                "select l.pid::text from pg_locks l left join pg_class c on c.oid = l.relation"
                                        + " where not l.granted and (l.locktype = 'transactionid'"
                                        + " or l.locktype = 'advisory' and l.classid = 1463900482"
                                        + " or c.relnamespace = '$schema'::regnamespace)")
                        .isEmpty());
        return future;
    }

    private List<String> appended() {
        return stored.texts("select message_id from $schema.outbox_message order by seq");
    }
}
