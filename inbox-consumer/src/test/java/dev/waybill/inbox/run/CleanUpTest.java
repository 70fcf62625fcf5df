package dev.waybill.inbox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerStatus;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxFixture;
import dev.waybill.inbox.InboxMaintenance;
import dev.waybill.inbox.Retention;
import dev.waybill.inbox.connect.Database;
import dev.waybill.schema.DriverConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(PostgresExtension.class)
class CleanUpTest {
    private static final Retention RETENTION =
            new Retention(Duration.ofDays(10), Duration.ofDays(3), Duration.ofMinutes(10), Duration.ofDays(7));

    private InboxFixture inbox;
    private CleanUp cleanUp;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
        cleanUp = new CleanUp(new Database(inbox.dataSource), inbox.schema, "test", RETENTION);
        record("old", 11);
        record("young", 9);
        inbox.dsl.execute("insert into " + inbox.schema.table("inbox_message")
                + " values (gen_random_uuid(), 'other', 'old', now() - interval '11 days')");
    }

    @Test
    void old_ids_of_the_consumer_go_and_all_others_stay() throws SQLException {
        atWorkFor("2 days");

        cleanUp.run();

        assertThat(inbox.recorded()).containsExactlyInAnyOrder("young", "old");
        assertThat(inbox.dsl
                        .fetch("select message_id from " + inbox.schema.table("inbox_message")
                                + " where consumer = 'test'")
                        .getValues(0, String.class))
                .containsExactly("young");
    }

    @Test
    void nothing_goes_right_after_a_pause() throws SQLException {
        cleanUp.run();
        assertThat(inbox.recorded()).hasSize(3);

        atWorkFor("2 days");
        inbox.dsl.execute(
                "update " + inbox.schema.table("inbox_consumer") + " set alive_until = now() - interval '1 day'");
        cleanUp.run();
        cleanUp.run();

        assertThat(inbox.recorded()).hasSize(3);
    }

    @Test
    void an_id_that_a_hold_or_a_deferral_names_stays() throws SQLException {
        record("held", 20);
        record("deferred", 20);
        inbox.dsl.execute(
                "with h as (insert into " + inbox.schema.table("inbox_hold")
                        + " (consumer, session_id, state, reason) values ('test', 's', 'parked', 'x') returning id)"
                        + " insert into " + inbox.schema.table("inbox_held_message")
                        + " (hold_id, origin_position, origin_time, message_id, payload) select id, 1, now(), 'held', '' from h");
        inbox.dsl.execute("insert into " + inbox.schema.table("inbox_deferral")
                + " (key, consumer, message_id, defer_key, sequence_number, enqueued_at)"
                + " select key, consumer, message_id, 'k', 1, now() from " + inbox.schema.table("inbox_message")
                + " where message_id = 'deferred'");
        atWorkFor("2 days");

        cleanUp.run();

        assertThat(inbox.recorded()).contains("held", "deferred", "young").hasSize(4);
    }

    @Test
    void what_a_dead_letter_names_is_kept_as_long_as_it_can_come_back() throws SQLException {
        deadLetter("open", "open", 40);
        deadLetter("quarantined", "quarantined", 40);
        deadLetter("just-redriven", "redriven", 5);
        deadLetter("redriven-long-ago", "redriven", 40);
        deadLetter("discarded", "discarded", 40);
        deadLetter("archived", "archived", 40);
        deadLetter("erased", "open", 40);
        inbox.dsl.execute("delete from " + inbox.schema.table("dead_letter_message") + " where message_id = 'erased'");
        atWorkFor("2 days");

        cleanUp.run();

        assertThat(inbox.recorded())
                .contains("open", "quarantined", "just-redriven", "redriven-long-ago", "discarded", "archived")
                .doesNotContain("erased");
    }

    private void deadLetter(String id, String state, int days) {
        record(id, 50);
        inbox.dsl.execute("with m as (insert into " + inbox.schema.table("dead_letter_message")
                + " (key, entity, sequence_number, enqueued_at, message_id, payload)"
                + " values (gen_random_uuid(), 'orders', 1, now(), '" + id + "', '') returning id)"
                + " insert into " + inbox.schema.table("dead_letter_state")
                + " (id, state, changed_at) select id, '" + state + "', now() - interval '" + days
                + " days' from m");
    }

    @Test
    void a_table_of_many_stretches_is_cleaned_to_its_end() throws SQLException {
        inbox.dsl.execute("insert into " + inbox.schema.table("inbox_message")
                + " select gen_random_uuid(), 'test', repeat('x', 100), now() - interval '20 days'"
                + " from generate_series(1, 30000)");
        record("last", 20);
        atWorkFor("2 days");

        int stretches = 1;
        while (cleanUp.run()) {
            stretches++;
        }

        assertThat(stretches).isGreaterThan(1);
        assertThat(inbox.recorded()).containsExactlyInAnyOrder("young", "old");
    }

    @Test
    void a_retention_that_is_too_short_for_what_can_still_come_is_refused() {
        assertThatThrownBy(() -> new Retention(
                        Duration.ofDays(9), Duration.ofDays(3), Duration.ofMinutes(10), Duration.ofDays(7)))
                .hasMessageContaining("PT240H");
        assertThatThrownBy(() ->
                        new Retention(Duration.ofDays(9), Duration.ZERO, Duration.ofMinutes(10), Duration.ofDays(7)))
                .hasMessageContaining("time to live");
    }

    @Test
    void an_operator_may_prune_after_a_dry_run_by_the_same_rules_and_not_right_after_a_pause() {
        var upkeep = InboxMaintenance.in(inbox.dataSource, inbox.schema);
        assertThatThrownBy(() -> upkeep.prune("test", RETENTION, false)).hasMessageContaining("not been at work");
        atWorkFor("2 days");

        assertThat(upkeep.prune("test", RETENTION, true)).isEqualTo(1);
        assertThat(inbox.recorded()).hasSize(3);
        assertThat(upkeep.prune("test", RETENTION, false)).isEqualTo(1);

        assertThat(inbox.recorded()).containsExactlyInAnyOrder("young", "old");
        assertThat(upkeep.check())
                .extracting(ConsumerStatus::name, status -> status.ids().count(), ConsumerStatus::atWork)
                .containsExactly(tuple("other", 1L, false), tuple("test", 1L, false));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_prune_ends_no_transaction_that_it_is_called_in(boolean dryRun) throws SQLException {
        atWorkFor("2 days");
        try (Connection transaction = inbox.dataSource.getConnection()) {
            transaction.setAutoCommit(false);
            var upkeep = InboxMaintenance.in(bound(transaction), inbox.schema);
            transaction.createStatement().execute("create temp table business (id text) on commit drop");

            assertThatThrownBy(() -> upkeep.prune("test", RETENTION, dryRun))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside an open transaction");

            assertThat(DriverConnection.isInTransaction(transaction)).isTrue();
            transaction.rollback();
        }
        assertThat(inbox.recorded()).hasSize(3);
    }

    /** As a data source that gives out the connection of the thread's transaction. */
    private static DataSource bound(Connection transaction) {
        Connection unclosed = proxy(Connection.class, (self, call, values) -> {
            try {
                return call.getName().equals("close") ? null : call.invoke(transaction, values);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return proxy(DataSource.class, (self, call, values) -> unclosed);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private void record(String id, int days) {
        inbox.dsl.transaction(tx -> Inbox.in(inbox.schema).firstTime(tx.dsl(), "test", id));
        inbox.dsl.execute("update " + inbox.schema.table("inbox_message") + " set handled_at = now() - interval '"
                + days + " days' where message_id = '" + id + "'");
    }

    private void atWorkFor(String interval) {
        inbox.dsl.execute("insert into " + inbox.schema.table("inbox_consumer")
                + " (name, alive_since) values ('test', now() - interval '" + interval + "')"
                + " on conflict (name) do update set alive_since = excluded.alive_since, alive_until = now()");
    }
}
