package dev.waybill.test.proof;

import static dev.waybill.test.proof.ProofFixture.assertNamed;
import static dev.waybill.test.proof.ProofFixture.booking;
import static dev.waybill.test.proof.ProofFixture.debit;
import static dev.waybill.test.proof.ProofFixture.insert;
import static dev.waybill.test.proof.ProofFixture.proof;
import static dev.waybill.test.proof.ProofFixture.restarting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Verdict;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages come again as they do from a broker: counted, and after others. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RedeliveryTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = ProofFixture.extension();

    @Test
    void a_handler_that_takes_every_repeat_for_done_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(
                        dataSource,
                        (tx, message) -> message.deliveryCount() > 1 ? Verdict.done() : booking(tx, message))
                .run();

        assertNamed(report, FaultKind.REMEMBERS, "entry: there should be", "deliveryCount()");
    }

    @Test
    void a_handler_that_waits_for_a_message_of_another_session_is_right(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    boolean early =
                            tx.fetch("select id from entry where id = 'd1'").isEmpty();
                    if (message.id().equals("d3") && early) {
                        return Verdict.retry(Duration.ofMinutes(1));
                    }
                    tx.execute("update total set cents = cents * 2 + 1");
                    return booking(tx, message);
                })
                .messages(debit("d4", "w2", 1))
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
    }

    @Test
    void a_message_that_waits_for_what_never_comes_is_named(DataSource dataSource) throws Exception {
        ProofReport report = proof(
                        dataSource,
                        (tx, message) ->
                                message.id().equals("d3") ? Verdict.retry(Duration.ofMinutes(1)) : booking(tx, message))
                .messages(debit("d4", "w2", 1))
                .run();

        assertNamed(report, FaultKind.FAILS_UNDISTURBED, "message 'd3' to be tried again");
    }

    @Test
    void a_commit_of_its_own_that_is_written_as_a_statement_is_named(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    try (Connection own = watched.getConnection();
                            Statement commit = own.createStatement()) {
                        own.setAutoCommit(false);
                        insert(own, message);
                        commit.execute("commit");
                    }
                    return booking(tx, message);
                })
                .run();

        assertNamed(report, FaultKind.OWN_TRANSACTION, "insert into entry");
        assertThat(report.has(FaultKind.LOST_TRANSACTION)).isFalse();
    }

    @Test
    void a_commit_of_the_messages_transaction_that_is_written_as_a_statement_is_found(DataSource dataSource)
            throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    Verdict verdict = booking(tx, message);
                    tx.execute("commit");
                    tx.execute("update total set cents = cents + 1");
                    return verdict;
                })
                .run();

        assertNamed(report, FaultKind.SURVIVES_ROLLBACK, "entry: there is");
    }
}
