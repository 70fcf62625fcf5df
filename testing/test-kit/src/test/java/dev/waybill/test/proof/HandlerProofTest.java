package dev.waybill.test.proof;

import static dev.waybill.test.proof.ProofFixture.BOOK;
import static dev.waybill.test.proof.ProofFixture.assertNamed;
import static dev.waybill.test.proof.ProofFixture.book;
import static dev.waybill.test.proof.ProofFixture.booking;
import static dev.waybill.test.proof.ProofFixture.cents;
import static dev.waybill.test.proof.ProofFixture.debit;
import static dev.waybill.test.proof.ProofFixture.proof;
import static dev.waybill.test.proof.ProofFixture.requiresNew;
import static dev.waybill.test.proof.ProofFixture.restarting;
import static dev.waybill.test.proof.ProofFixture.wallet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that are right, and handlers with one mistake each in what they do, which must be found and named. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HandlerProofTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = ProofFixture.extension();

    private final Outbox outbox = Outbox.create();

    @Test
    void a_handler_that_is_right_has_no_fault(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    book(tx, message);
                    tx.execute(
                            "insert into note select max(nr), 'booked' from entry where id = {0}",
                            DSL.val(message.id()));
                    outbox.append(
                            tx,
                            OutboxMessage.to("booked")
                                    .session(wallet(message))
                                    .id("booked-" + message.id())
                                    .text(message.text())
                                    .build());
                    return Verdict.done();
                })
                .messages(debit("d2", "w1", 50))
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
        assertThat(report.runs()).isGreaterThan(30);
    }

    @Test
    void the_tables_are_afterwards_as_they_were(TestWaybill waybill) throws Exception {
        waybill.transaction(tx ->
                outbox.append(tx, OutboxMessage.to("q").id("before").text("x").build()));

        proof(waybill.dataSource(), ProofFixture::booking).requireNoFault();

        waybill.appended().hasIds("before");
        waybill.requireAppendsCommitted();
        waybill.tryOut(ProofFixture::booking, debit("d", "w1", 1), tx -> {
            assertThat(tx.fetchCount(DSL.table("entry"))).isEqualTo(1);
            assertThat(tx.fetchCount(DSL.table("waybill.inbox_message"))).isZero();
            assertThat(tx.fetchValue("select sum(cents) from wallet")).hasToString("1499");
        });
    }

    @Test
    void a_handler_that_rests_on_a_savepoint_is_right(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    try {
                        tx.transaction(nested -> nested.dsl().execute("insert into wallet values ('w1', 0)"));
                    } catch (DataAccessException known) {
                        tx.execute("update total set cents = cents + 1");
                    }
                    return booking(tx, message);
                })
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
    }

    @Test
    void a_value_that_is_made_anew_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    tx.execute(BOOK, DSL.val(UUID.randomUUID().toString()), DSL.val(wallet(message)), DSL.val(1));
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.NOT_REPEATABLE, "entry.id:", "ignoring");
        assertThat(report.faults()).hasSize(1);
        assertThat(proof(dataSource, (tx, message) -> {
                            tx.execute(BOOK, DSL.val(UUID.randomUUID().toString()), DSL.val("w1"), DSL.val(1));
                            return Verdict.done();
                        })
                        .ignoring("entry.id")
                        .run()
                        .faults())
                .isEmpty();
    }

    @Test
    @Tag("long")
    void the_random_id_of_an_appended_message_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    outbox.append(
                            tx,
                            OutboxMessage.to("booked")
                                    .id(UUID.randomUUID().toString())
                                    .text("x")
                                    .build());
                    return booking(tx, message);
                })
                .run();

        assertNamed(report, FaultKind.NOT_REPEATABLE, "outbox.id:", "random");
    }

    @Test
    void a_counter_in_memory_is_found(DataSource dataSource) throws Exception {
        var handled = new AtomicInteger();
        ProofReport report = proof(dataSource, (tx, message) -> {
                    tx.execute(BOOK, DSL.val(message.id()), DSL.val("w1"), DSL.val(handled.incrementAndGet()));
                    return Verdict.done();
                })
                .beforeEachRun(() -> handled.set(0))
                .run();

        assertNamed(report, FaultKind.REMEMBERS, "entry: there is", "a field, a static, a cache");
    }

    @Test
    void a_counter_in_memory_that_a_restart_loses_is_found(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> {
                    var handled = new AtomicInteger();
                    return (tx, message) -> {
                        tx.execute(BOOK, DSL.val(message.id()), DSL.val("w1"), DSL.val(handled.get()));
                        handled.incrementAndGet();
                        return Verdict.done();
                    };
                })
                .run();

        assertNamed(report, FaultKind.FORGETS, "entry: there is", "What it kept in memory is gone");
    }

    @Test
    void a_swallowed_exception_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    try {
                        book(tx, message);
                    } catch (DataAccessException e) {
                        return Verdict.done();
                    }
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.SWALLOWED, "insert into entry", "reports done all the same");
        assertThat(report.faults()).hasSize(2).allMatch(fault -> fault.kind() == FaultKind.SWALLOWED);
    }

    @Test
    void a_value_that_is_read_and_written_back_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    long cents = tx.fetchSingle("select cents from total").get(0, Long.class);
                    tx.execute("update total set cents = {0}", DSL.val(cents + cents(message)));
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.SIDE_BY_SIDE, "total: there is", "FOR UPDATE");
        assertThat(report.faults()).hasSize(1);
    }

    @Test
    void a_dependence_on_the_order_of_sessions_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    tx.execute("update total set cents = cents * 2 + {0}", DSL.val(cents(message)));
                    return Verdict.done();
                })
                .run();

        assertNamed(report, FaultKind.ORDER_OF_SESSIONS, "total: there is", "the same session");
    }

    @Test
    void a_handler_that_fails_by_itself_is_not_tried_further(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> {
                    throw new IllegalStateException("no such wallet");
                })
                .run();

        assertNamed(report, FaultKind.FAILS_UNDISTURBED, "no such wallet", "nothing was disturbed");
        assertThat(report.runs()).isEqualTo(1);
    }

    @Test
    void a_handler_that_waits_for_its_own_transaction_is_cut_off_and_named(DataSource dataSource) throws Exception {
        ProofReport report = restarting(dataSource, watched -> (tx, message) -> {
                    book(tx, message);
                    try (Connection own = watched.getConnection();
                            Statement update = own.createStatement()) {
                        update.execute("update wallet set cents = 0");
                    }
                    return Verdict.done();
                })
                .handlerTimeout(Duration.ofSeconds(1))
                .run();

        assertNamed(report, FaultKind.FAILS_UNDISTURBED, "wait for a lock of the message's transaction");
        assertNamed(report, FaultKind.AUTO_COMMIT, "update wallet set cents = 0");
    }

    @Test
    void a_verdict_that_sets_a_message_aside_is_its_fate(DataSource dataSource) throws Exception {
        ProofReport report = proof(
                        dataSource,
                        (tx, message) -> message.id().equals("d3")
                                ? Verdict.deadLetter("Unknown", "no such wallet")
                                : booking(tx, message))
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
    }

    @Test
    void a_handler_that_sets_every_message_aside_proves_nothing(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (tx, message) -> Verdict.deadLetter("UnknownSubject", "none was given"))
                .run();

        assertNamed(report, FaultKind.FAILS_UNDISTURBED, "'d1'", "'d3'", "nothing was handled");
    }

    @Test
    void the_error_tells_all_of_it_in_words(DataSource dataSource) {
        assertThatThrownBy(() -> restarting(dataSource, watched -> (tx, message) -> {
                            requiresNew(watched, message);
                            return Verdict.done();
                        })
                        .requireNoFault())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1. ")
                .hasMessageContaining("the process ended after")
                .hasMessageContaining("Use the transaction that the handler is given");
    }

    @Test
    void an_ignored_column_that_does_not_exist_is_a_mistake(DataSource dataSource) {
        assertThatThrownBy(() -> proof(dataSource, ProofFixture::booking)
                        .ignoring("entry.nothing")
                        .run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("entry.nothing");
    }
}
