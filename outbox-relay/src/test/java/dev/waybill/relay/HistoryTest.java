package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresNode;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counters that go back stop a relay, and a rebase lets it go on without a loss. */
@Timeout(90)
class HistoryTest {
    private static final String WITHOUT_REPLICA_IDENTITY = """
            select coalesce(string_agg(c.relname, ', ' order by c.relname), '') from pg_class c
            where c.relnamespace = 'waybill'::regnamespace and c.relkind = 'r' and c.relreplident = 'd'
              and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
            """;

    private final ServerOutbox outbox = new ServerOutbox();
    private PostgresNode server;

    @BeforeEach
    void start_a_server() {
        server = PostgresNode.start();
        outbox.migrate(server);
    }

    @AfterEach
    void stop() {
        try {
            outbox.close();
        } finally {
            server.close();
        }
    }

    @Test
    void a_sequence_set_back_under_a_running_relay_stops_it_before_it_records_anything() throws Exception {
        Set<String> behind = ServerOutbox.ids("behind", 100);
        publish("first", 200);
        server.execute("select setval('waybill.outbox_message_seq', last_value - 150) from waybill.outbox_message_seq");
        String since = server.value("select clock_timestamp()");
        outbox.append(server, "behind", 100);

        outbox.awaitAlarm(server, true);
        outbox.stopRelays();

        outbox.assertNothingIsCalledPublishedUnsent(server);
        assertThat(recordedSince(since)).as("cursors recorded").isEqualTo("0");
        outbox.rebase(server);
        outbox.startRelay(server.jdbcUrl());
        outbox.awaitArrived(server, behind);
        outbox.awaitRecorded(server, behind);
        outbox.awaitAlarm(server, false);
    }

    @Test
    void a_relay_that_starts_on_counters_set_back_says_so_and_waits_for_the_rebase() throws Exception {
        publish("first", 200);
        outbox.stopRelays();
        server.execute("alter sequence waybill.outbox_message_seq restart");
        outbox.append(server, "behind", 100);

        outbox.startRelay(server.jdbcUrl());
        outbox.awaitAlarm(server, true);
        outbox.stopRelays();

        outbox.assertNothingIsCalledPublishedUnsent(server);
        outbox.rebase(server);
        outbox.startRelay(server.jdbcUrl());
        outbox.awaitArrived(server, ServerOutbox.ids("behind", 100));
    }

    @Test
    void a_dump_restored_into_a_fresh_cluster_stops_the_relay_and_a_rebase_publishes_what_waits() throws Exception {
        server.execute("do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$");
        publish("first", 100);
        outbox.stopRelays();
        outbox.append(server, "waiting", 50);
        Set<String> before = outbox.arrived();
        try (PostgresNode fresh = PostgresNode.start()) {
            outbox.migrate(fresh);
            RestoredDump.copy(server, fresh);
            outbox.startRelay(fresh.jdbcUrl());
            outbox.append(fresh, "after", 50);
            outbox.awaitAlarm(fresh, true);
            outbox.stopRelays();
            assertThat(outbox.arrived()).isEqualTo(before);
            outbox.assertNothingIsCalledPublishedUnsent(fresh);

            outbox.rebase(fresh);
            outbox.startRelay(fresh.jdbcUrl());

            var pending = new HashSet<>(ServerOutbox.ids("waiting", 50));
            pending.addAll(ServerOutbox.ids("after", 50));
            outbox.awaitArrived(fresh, pending);
            outbox.awaitAlarm(fresh, false);
            outbox.stopRelays();
        }
    }

    @Test
    void a_rebase_works_under_a_publication_of_all_tables() throws Exception {
        publish("first", 50);
        outbox.stopRelays();
        server.execute("create publication everything for all tables");
        server.execute("alter sequence waybill.outbox_message_seq restart");
        outbox.append(server, "behind", 50);

        outbox.rebase(server);
        outbox.startRelay(server.jdbcUrl());

        outbox.awaitArrived(server, ServerOutbox.ids("behind", 50));
    }

    @Test
    void every_table_can_be_changed_under_a_publication_of_all_tables() throws Exception {
        assertThat(server.value(WITHOUT_REPLICA_IDENTITY)).isEmpty();
    }

    private void publish(String prefix, int count) throws Exception {
        outbox.startRelay(server.jdbcUrl());
        outbox.append(server, prefix, count);
        outbox.awaitRecorded(server, ServerOutbox.ids(prefix, count));
    }

    private String recordedSince(String time) throws Exception {
        return server.value("select count(*) from waybill.outbox_progress where recorded_at > '" + time + "'");
    }
}
