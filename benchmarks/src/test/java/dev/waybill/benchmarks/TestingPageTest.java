package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestMessage;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import dev.waybill.test.proof.HandlerProof;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of the pages on testing. {@link DocumentationTest} compares the two. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TestingPageTest {
    private static final Handler LEDGER = FirstTest.LEDGER;

    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(
                    bus -> bus.queue("wallet-tx", QueueOptions::requiresSession))
            .tables(
                    "create table wallet (id text primary key, cents bigint not null)",
                    "insert into wallet values ('w-7', 1000)");

    @Test
    void the_handler_takes_money(TestWaybill waybill) throws Exception {
        var message = TestMessage.of("debit-tx-1")
                .session("w-7")
                .json("{\"cents\": 250}")
                .build();

        Verdict verdict =
                waybill.tryOut(LEDGER, message, tx -> assertEquals(750L, tx.fetchValue("select cents from wallet")));

        assertEquals(Verdict.done(), verdict);
    }

    @Test
    void the_error_of_the_page_is_that_of_the_kit(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> waybill.outbox().append(tx, debit("debit-tx-1", 250)));

        String page = Files.readString(Path.of("../docs/getting-started/testing.md"));
        String shown = page.substring(page.indexOf("```text\n") + "```text\n".length());
        assertThatThrownBy(() -> waybill.appended().hasIds("debit-tx-2"))
                .hasMessage(shown.substring(0, shown.indexOf("\n```")));
    }

    @Test
    void the_ledger_has_its_effects_once(DataSource dataSource) throws Exception {
        HandlerProof.of(dataSource, LEDGER)
                .messages(
                        TestMessage.of("debit-1").session("w-7").text("250").build(),
                        TestMessage.of("debit-2").session("w-7").text("100").build(),
                        TestMessage.of("debit-3").session("w-8").text("50").build())
                .requireNoFault();
    }

    @Test
    void a_handler_that_works_past_its_transaction_is_found(DataSource dataSource) {
        List<String> mails = Collections.synchronizedList(new ArrayList<>());
        HandlerProof proof = HandlerProof.restarting(dataSource, watched -> new AuditedLedger(watched, mails))
                .messages(TestMessage.of("debit-1").session("w-7").text("250").build())
                .watching("mails", () -> mails)
                .beforeEachRun(mails::clear)
                .allowing(sql -> sql.contains("hibernate_sequences"))
                .ignoring("wallet.id");

        assertThatThrownBy(proof::requireNoFault)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("on a connection in auto-commit mode")
                .hasMessageContaining("An effect outside the database");
    }

    private record AuditedLedger(DataSource dataSource, List<String> mails) implements Handler {
        @Override
        public Verdict handle(DSLContext tx, InboundMessage message) throws Exception {
            try (Connection own = dataSource.getConnection();
                    PreparedStatement insert = own.prepareStatement("insert into wallet values (?, 0)")) {
                insert.setString(1, "audit-" + message.id() + "-" + mails.size());
                insert.executeUpdate();
            }
            mails.add(message.id());
            return LEDGER.handle(tx, message);
        }
    }

    private static OutboxMessage debit(String id, int cents) {
        return OutboxMessage.to("wallet-tx")
                .session("w-7")
                .id(id)
                .json("{\"cents\": " + cents + "}")
                .build();
    }
}
