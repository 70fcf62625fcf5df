package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.defer.DeferringAttempt;
import dev.waybill.inbox.defer.ResumePlace;
import dev.waybill.inbox.defer.WantedMessage;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import dev.waybill.inbox.lock.Fencing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message is deferred while somebody resumes its key: in whatever order the two commit, it comes back. */
@ExtendWith(PostgresExtension.class)
class ResumptionTest {
    private static final String KEY = "order-1";
    private static final DeferringAttempt.Limits LIMITS =
            new DeferringAttempt.Limits(Duration.ofSeconds(1), Duration.ofHours(1));

    InboxFixture inbox;
    private Deferrals deferrals;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
        deferrals = Deferrals.in(inbox.schema);
    }

    @Test
    void a_resume_that_commits_while_the_handler_runs_resumes_the_message() throws SQLException {
        deferring(() -> assertThat(resume()).isZero());

        assertThat(wanted()).containsExactly("m1");
    }

    @Test
    void a_resume_that_commits_after_the_deferral_but_looked_before_it_resumes_the_message() throws SQLException {
        try (Connection order = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            deferring(() -> assertThat(deferrals.resume(order, "test", KEY)).isZero());
            meet();
            assertThat(wanted()).isEmpty();

            order.commit();
        }
        meet();

        assertThat(wanted()).containsExactly("m1");
    }

    @Test
    void a_resume_that_looks_with_an_old_snapshot_resumes_the_message() throws SQLException {
        try (Connection order = begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            order.createStatement().execute("select 1");
            deferring(() -> {});
            assertThat(deferrals.resume(order, "test", KEY)).isZero();
            order.commit();
        }

        meet();

        assertThat(wanted()).containsExactly("m1");
    }

    @Test
    void a_resume_that_the_handler_can_have_seen_does_not_bring_the_message_back_again_and_again() throws SQLException {
        resume();

        deferring(() -> {});
        meet();
        deferring(() -> {});
        meet();

        assertThat(wanted()).isEmpty();
        assertThat(deferrals.olderThan(inbox.dsl, "test", Duration.ZERO)).hasSize(1);
    }

    @Test
    void a_message_that_is_deferred_again_while_it_is_resumed_a_second_time_comes_back() throws SQLException {
        deferring(() -> {});
        assertThat(resume()).isEqualTo(1);
        assertThat(wanted()).containsExactly("m1");

        deferring(() -> assertThat(resume()).isEqualTo(1));
        assertThat(wanted()).containsExactly("m1");

        meet();
        deferring(() -> {});
        assertThat(wanted()).isEmpty();
    }

    @Test
    void a_resumed_message_whose_process_dies_while_it_is_deferred_again_stays_resumed() throws SQLException {
        deferring(() -> {});
        resume();
        var dies = FailingPool.after(1, inbox.dataSource);

        assertThatThrownBy(() ->
                        table(dies).store(FakeMessage.of("m1"), new DeferringAttempt(KEY, null, null, null, LIMITS)))
                .isInstanceOf(SQLException.class);

        assertThat(wanted()).containsExactly("m1");
    }

    @Test
    void on_a_server_that_does_not_wait_for_the_disk_a_deferral_does_before_the_broker_hears_of_it(
            TestDatabase database) {
        String modes = inbox.schema.table("mode");
        inbox.dsl.execute("create table " + modes + " (mode text)");
        inbox.dsl.execute("create function " + inbox.schema.table("note") + "() returns trigger language plpgsql as $$"
                + " begin insert into " + modes
                + " values (current_setting('synchronous_commit')); return new; end $$");
        inbox.dsl.execute("create trigger note after insert or update on " + inbox.schema.table("inbox_deferral")
                + " for each row execute function " + inbox.schema.table("note") + "()");
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl());
            pool.setConnectionInitSql("set synchronous_commit = off");
            pool.setMaximumPoolSize(3);

            inbox.on(pool)
                    .turn(ScriptedReceiver.ofSession(FakeMessage.of("m1")), (tx, message) -> Verdict.defer("k"))
                    .run();
        }

        // It is stored, and then judged whether it is resumed already.
        assertThat(inbox.dsl.fetch("select mode from " + modes).getValues(0, String.class))
                .hasSizeGreaterThan(1)
                .containsOnly("local");
    }

    @Test
    void transactions_that_resume_the_same_key_do_not_wait_for_each_other_nor_for_a_deferral() throws SQLException {
        try (Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
                Connection second = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            second.createStatement().execute("set local lock_timeout = '1ms'");
            deferrals.resume(first, "test", KEY);
            deferrals.resume(second, "test", KEY);
            deferring(() -> {});
            second.commit();
            first.rollback();
        }

        meet();

        assertThat(wanted()).containsExactly("m1");
    }

    @Test
    void a_resumption_whose_deferral_somebody_has_locked_is_met_afterwards() throws SQLException {
        try (Connection early = begin(Connection.TRANSACTION_READ_COMMITTED);
                Connection late = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            deferrals.resume(early, "test", KEY);
            deferring(() -> {});
            assertThat(deferrals.resume(late, "test", KEY)).isEqualTo(1);
            early.commit();
            meet();
            assertThat(wanted()).isEmpty();
            late.rollback();
        }

        meet();

        assertThat(wanted()).containsExactly("m1");
    }

    @Test
    void a_resumption_is_kept_for_the_longest_attempt_from_when_it_was_met_and_then_forgotten() throws SQLException {
        try (Connection slow = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            deferrals.resume(slow, "test", KEY);
            slow.createStatement()
                    .execute("update " + inbox.schema.table("inbox_resumption")
                            + " set resumed_at = now() - interval '1 day'");
            slow.commit();
        }
        meet();
        assertThat(inbox.count("inbox_resumption")).isEqualTo(1);

        inbox.dsl.execute(
                "update " + inbox.schema.table("inbox_resumption") + " set seen_at = now() - interval '2 hours'");
        meet();

        assertThat(inbox.count("inbox_resumption")).isZero();
    }

    @Test
    void a_process_with_short_attempts_keeps_resumptions_for_one_with_long_ones() throws SQLException {
        var receiver = session();
        var patient = inbox.turn(
                receiver,
                (tx, message) -> {
                    resume();
                    meet();
                    inbox.dsl.execute("update " + inbox.schema.table("inbox_resumption")
                            + " set seen_at = now() - interval '2 hours'");
                    meet();
                    return Verdict.defer(KEY);
                },
                settings -> settings.handlerTimeout = Duration.ofHours(4));
        patient.parts().heartbeat().beat();

        patient.run();

        assertThat(receiver.log()).containsExactly("defer m1", "close");
        assertThat(wanted()).containsExactly("m1");
        patient.parts().heartbeat().leave();
        meet();
        assertThat(inbox.count("inbox_resumption")).isZero();
    }

    @Test
    void a_process_that_gives_no_sign_of_life_counts_until_its_attempts_must_be_over() throws SQLException {
        var database = new Database(inbox.dataSource);
        var us = new ConsumerHeartbeat(database, inbox.schema, "test", "orders", Duration.ofMinutes(10));
        var frozen = new ConsumerHeartbeat(database, inbox.schema, "test", "orders", Duration.ofHours(5));
        frozen.beat();
        lastSeen("4 hours");
        resume();
        meet();
        inbox.dsl.execute(
                "update " + inbox.schema.table("inbox_resumption") + " set seen_at = now() - interval '2 hours'");

        us.beat();
        meet();

        assertThat(us.isSuspicious(FakeMessage.of("m1")))
                .as("after the ten minutes of a death")
                .isFalse();
        assertThat(inbox.count("inbox_instance")).isEqualTo(2);
        assertThat(inbox.count("inbox_resumption")).isEqualTo(1);

        lastSeen("6 hours");
        us.beat();
        meet();

        assertThat(inbox.count("inbox_instance")).isEqualTo(1);
        assertThat(inbox.count("inbox_resumption")).isZero();
    }

    private void lastSeen(String ago) {
        inbox.dsl.execute(
                "update " + inbox.schema.table("inbox_instance") + " set alive_until = now() - interval '" + ago + "'");
    }

    @Test
    void an_attempt_that_lasted_longer_than_any_may_is_made_once_more_for_what_it_may_have_missed()
            throws SQLException {
        String yesterday =
                inbox.dsl.fetchSingle("select (now() - interval '1 day')::text").get(0, String.class);
        store(yesterday);
        assertThat(wanted()).containsExactly("m1");

        store(inbox.dsl.fetchSingle("select now()::text").get(0, String.class));
        assertThat(wanted()).isEmpty();
    }

    private void store(String since) throws SQLException {
        String snapshot =
                inbox.dsl.fetchSingle("select pg_current_snapshot()::text").get(0, String.class);
        table(inbox.dataSource).store(FakeMessage.of("m1"), new DeferringAttempt(KEY, snapshot, since, null, LIMITS));
    }

    @Test
    void what_is_resumed_for_a_consumer_that_nobody_runs_is_forgotten_after_a_month() throws SQLException {
        deferrals.resume(inbox.dsl, "tset", KEY);
        inbox.dsl.execute(
                "update " + inbox.schema.table("inbox_resumption") + " set resumed_at = now() - interval '31 days'");

        inbox.turn(ScriptedReceiver.ofSession(), inbox::effect)
                .parts()
                .forgotten()
                .run();

        assertThat(inbox.count("inbox_resumption")).isZero();
    }

    @Test
    void a_key_that_no_index_takes_is_refused_in_the_handler() {
        assertThatThrownBy(() -> Verdict.defer("k".repeat(501))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Verdict.defer("a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void forgotten_deferrals_are_looked_for_every_hour_at_most() {
        var options = new ConsumerOptions(inbox.dataSource);
        assertThat(forgottenPoll(options)).isEqualTo(Duration.ofHours(1));

        options.deferralWarningAfter = Duration.ofMinutes(3);
        assertThat(forgottenPoll(options)).isEqualTo(Duration.ofMinutes(3));

        options.deferralWarningAfter = Duration.ZERO;
        assertThat(forgottenPoll(options)).isEqualTo(options.backgroundPollInterval);
    }

    private static Duration forgottenPoll(ConsumerOptions options) {
        return options.settings(InboxFixture.source(session()), InboxFixture.DONE)
                .forgottenPoll();
    }

    @Test
    void the_deferral_of_a_dead_lettered_message_is_forgotten() throws SQLException {
        deferring(() -> {});

        inbox.turn(session(), (tx, message) -> Verdict.deadLetter("Bad", "bad")).run();

        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    @Test
    void the_deferral_of_a_held_message_is_forgotten() throws SQLException {
        deferring(() -> {});

        inbox.turn(
                        session(),
                        (tx, message) -> Verdict.deadLetter("Bad", "bad"),
                        settings -> settings.onFailure = OnFailure.HOLD_SESSION)
                .run();

        assertThat(inbox.count("inbox_held_message")).isEqualTo(1);
        assertThat(inbox.count("inbox_deferral")).isZero();
    }

    @Test
    void a_dead_letter_whose_process_died_before_it_forgot_the_deferral_is_forgotten_when_nobody_can_have_it_in_hand()
            throws SQLException {
        deferring(() -> {});
        resume();
        var lost = session();
        lost.onSettle(() -> {
            throw new LockLostException("the process died", null);
        });
        inbox.turn(lost, (tx, message) -> Verdict.deadLetter("Bad", "bad")).run();
        var missed = table(inbox.dataSource).wanted(ResumePlace.of("s")).get(0);
        assertThat(table(inbox.dataSource).forgetIfDone(missed, null)).isFalse();

        inbox.dsl.execute("update " + inbox.schema.table("inbox_deferral") + " set gone_by = now()");

        assertThat(table(inbox.dataSource).forgetIfDone(missed, null)).isTrue();
    }

    private void deferring(Meanwhile meanwhile) {
        var receiver = session();
        inbox.turn(receiver, (tx, message) -> {
                    meanwhile.happens();
                    return Verdict.defer(KEY);
                })
                .run();
        assertThat(receiver.log()).containsExactly("defer m1", "close");
    }

    private static ScriptedReceiver session() {
        return ScriptedReceiver.ofSession(FakeMessage.of("m1"));
    }

    private int resume() {
        return inbox.dsl.transactionResult(tx -> deferrals.resume(tx.dsl(), "test", KEY));
    }

    private Connection begin(int isolation) throws SQLException {
        Connection connection = inbox.dataSource.getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(isolation);
        return connection;
    }

    private void meet() throws SQLException {
        inbox.turn(session(), inbox::effect).parts().resumptions().run();
    }

    private List<String> wanted() throws SQLException {
        return table(inbox.dataSource).wanted(ResumePlace.of("s")).stream()
                .map(WantedMessage::messageId)
                .toList();
    }

    private DeferralTable table(DataSource pool) {
        var database = new Database(pool);
        var fencing = new Fencing(database, inbox.schema, "test", LIMITS.lockTimeout());
        return new DeferralTable(database, inbox.schema, "test", fencing);
    }

    private interface Meanwhile {
        void happens() throws SQLException;
    }
}
