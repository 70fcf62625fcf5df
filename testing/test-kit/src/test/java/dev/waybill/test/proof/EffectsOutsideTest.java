package dev.waybill.test.proof;

import static dev.waybill.test.proof.ProofFixture.assertNamed;
import static dev.waybill.test.proof.ProofFixture.booking;
import static dev.waybill.test.proof.ProofFixture.insert;
import static dev.waybill.test.proof.ProofFixture.proof;
import static dev.waybill.test.proof.ProofFixture.requiresNew;
import static dev.waybill.test.proof.ProofFixture.restarting;
import static dev.waybill.test.proof.ProofFixture.wallet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Verdict;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers with effects outside their message's transaction, which must be found and named. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EffectsOutsideTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = ProofFixture.extension();

    @Test
    void a_statement_through_a_connection_in_auto_commit_mode_is_found(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    try (Connection own = watched.getConnection()) {
                        insert(own, message);
                    }
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.AUTO_COMMIT, "insert into entry", "auto-commit mode");
        assertNamed(report, FaultKind.SURVIVES_ROLLBACK, "entry: there is", "id=d1");
    }

    @Test
    void a_transaction_of_its_own_is_found(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    requiresNew(watched, message);
                    tx.execute("update wallet set cents = cents - 1 where id = {0}", DSL.val(wallet(message)));
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.OWN_TRANSACTION, "insert into entry", "REQUIRES_NEW");
        assertThat(report.has(FaultKind.AUTO_COMMIT)).isFalse();
    }

    @Test
    void a_transaction_that_nobody_commits_is_found(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    try (Connection own = watched.getConnection()) {
                        own.setAutoCommit(false);
                        insert(own, message);
                        own.setAutoCommit(false);
                    }
                    return booking(tx, message);
                })
                .run();

        assertNamed(report, FaultKind.LOST_TRANSACTION, "insert into entry", "nobody commits");
    }

    @Test
    @Tag("long")
    void an_effect_past_the_watched_data_source_is_found_by_what_it_leaves(TestWaybill waybill) throws Exception {
        ProofReport report = proof(waybill.dataSource(), (tx, message) -> {
                    try (Connection own = waybill.dataSource().getConnection()) {
                        insert(own, message);
                    }
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.SURVIVES_ROLLBACK, "entry: there is", "rolled back");
    }

    @Test
    void allowed_statements_are_no_fault(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    try (Connection own = watched.getConnection();
                            PreparedStatement next = own.prepareStatement("select nextval('entry_nr_seq')")) {
                        next.execute();
                    }
                    return booking(tx, message);
                })
                .allowing(sql -> sql.contains("entry_nr_seq"))
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
    }

    @Test
    @Tag("long")
    void a_read_that_begins_with_a_comment_is_no_effect(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    run(watched, "/* report */ select cents from wallet");
                    run(watched, "-- another report\nselect cents from wallet");
                    run(watched, "select cents from total for update");
                    return booking(tx, message);
                })
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
        assertThat(report.notes()).hasSize(3);
    }

    @Test
    void a_query_with_a_part_that_writes_is_found(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    run(
                            watched,
                            "with counted as (update total set cents = cents + 1 returning cents) select * from counted");
                    return booking(tx, message);
                })
                .run();

        assertNamed(report, FaultKind.AUTO_COMMIT, "with counted as (update total");
    }

    private static void run(DataSource watched, String sql) throws SQLException {
        try (Connection own = watched.getConnection();
                Statement statement = own.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void an_effect_outside_the_database_is_found_by_a_probe(DataSource dataSource) throws Exception {
        List<String> mails = Collections.synchronizedList(new ArrayList<>());
        ProofReport report = proof(dataSource, (tx, message) -> {
                    mails.add(message.id());
                    return booking(tx, message);
                })
                .watching("mails", () -> mails.stream().sorted().toList())
                .beforeEachRun(mails::clear)
                .run();

        assertNamed(report, FaultKind.EFFECT_OUTSIDE_THE_DATABASE, "mails: [d1, d1", "outbox");
        assertThat(report.faults()).hasSize(1);
    }

    @Test
    void a_probe_that_nobody_puts_back_is_found(DataSource dataSource) throws Exception {
        var calls = new AtomicInteger();
        ProofReport report = proof(dataSource, (tx, message) -> {
                    calls.incrementAndGet();
                    return booking(tx, message);
                })
                .watching("calls", calls::get)
                .run();

        assertNamed(report, FaultKind.NOT_REPEATABLE, "calls:", "beforeEachRun");
    }
}
