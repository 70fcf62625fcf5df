package dev.waybill.walletforge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.archive.LedgerArchive;
import dev.waybill.walletforge.notification.MailDirectory;
import dev.waybill.walletforge.repair.NightlyJob;
import dev.waybill.walletforge.servicebus.Entities;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong between a client and his money, seen through the public API. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WalletServiceTest {
    @TempDir
    private Path mails;

    private RunningService service;

    @BeforeEach
    void start(TestDatabase database) {
        service = new RunningService(database.server(), database.schema(), mails);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_payment_submitted_twice_with_the_same_key_is_booked_once() {
        service.withConsumers();

        var first = service.pay("k1", "w", "credit", 100);
        var second = service.pay("k1", "w", "credit", 100);
        var other = service.pay("k1", "w", "credit", 200);
        service.pay("k2", "w", "credit", 1);

        assertThat(first.status()).isEqualTo(202);
        assertThat(second).isEqualTo(first);
        assertThat(other.status()).isEqualTo(422);
        service.awaitBalance("w", 101);
        assertThat(service.count("ledger_entry", "true")).isEqualTo(2);
    }

    @Test
    void a_request_that_makes_no_sense_is_refused_and_its_key_is_still_free() {
        assertThat(service.send("POST", "/payments", "", "{}").status()).isEqualTo(400);
        assertThat(service.send("POST", "/payments", "k", "no json").status()).isEqualTo(400);
        assertThat(service.pay("k", "w", "credot", 1).status()).isEqualTo(400);
        assertThat(service.pay("k", "w", "credit", -1).status()).isEqualTo(400);
        assertThat(service.pay("k", " ", "credit", 1).status()).isEqualTo(400);
        assertThat(service.send(
                                "POST",
                                "/transfers",
                                "k",
                                "{\"fromWallet\":\"a\",\"toWallet\":\"a\",\"amountCents\":1}")
                        .status())
                .isEqualTo(400);
        assertThat(service.get("/wallets/w").status()).isEqualTo(404);

        assertThat(service.pay("k", "w", "credit", 1).status()).isEqualTo(202);
    }

    @Test
    void a_wallet_is_never_overdrawn_however_many_debits_race() {
        service.pay("fund", "w", "credit", 100);
        IntStream.range(0, 20).parallel().forEach(i -> service.pay("d" + i, "w", "debit", 30));
        service.withConsumers();

        await().atMost(60, TimeUnit.SECONDS).until(() -> service.count("ledger_entry", "true") == 21);
        assertThat(service.balance("w")).isEqualTo(10);
        assertThat(service.count("ledger_entry", "outcome = 'declined'")).isEqualTo(17);
    }

    @Test
    void debits_above_the_limit_of_the_day_are_declined() {
        service.withConsumers();
        service.send("PUT", "/wallets/w/limit", "", "{\"dailyLimitCents\":50}");
        service.pay("fund", "w", "credit", 100);
        service.pay("d1", "w", "debit", 30);
        service.pay("d2", "w", "debit", 30);
        service.pay("d3", "w", "debit", 20);

        service.awaitBalance("w", 50);
        assertThat(service.count("ledger_entry", "tx_id = 'd2' and outcome = 'declined'"))
                .isEqualTo(1);
    }

    @Test
    void a_transfer_moves_money_and_one_above_the_balance_moves_none() {
        service.withConsumers();
        service.pay("fund", "a", "credit", 100);

        String moved = service.transfer("t1", "a", "b", 60);
        String declined = service.transfer("t2", "a", "b", 60);

        service.awaitState(moved, "completed");
        service.awaitState(declined, "declined");
        assertThat(service.balance("a")).isEqualTo(40);
        assertThat(service.balance("b")).isEqualTo(60);
    }

    @Test
    void a_transfer_whose_credit_is_refused_gives_the_money_back() {
        service.withConsumers();
        service.pay("fund", "a", "credit", 100);
        service.send("PUT", "/wallets/b/closed", "", "");

        String transfer = service.transfer("t", "a", "b", 60);

        service.awaitState(transfer, "compensated");
        assertThat(service.balance("a")).isEqualTo(100);
        assertThat(service.balance("b")).isZero();
        assertThat(service.count("ledger_entry", "true")).isEqualTo(4);
    }

    @Test
    void a_crash_between_debit_and_credit_loses_no_money() throws Exception {
        var creditCame = new CountDownLatch(1);
        UnaryOperator<Handler> crashing = handler -> (tx, message) -> {
            if (message.subject().orElse("").equals("transfer-credit")) {
                handler.handle(tx, message);
                creditCame.countDown();
                throw new OutOfMemoryError("planted, after the effects and before the commit");
            }
            return handler.handle(tx, message);
        };
        service.withConsumers(new MailDirectory(mails), crashing);
        service.pay("fund", "a", "credit", 100);
        String transfer = service.transfer("t", "a", "b", 60);

        assertThat(creditCame.await(60, TimeUnit.SECONDS)).isTrue();
        service.stopConsumers();
        assertThat(service.balance("a")).isEqualTo(40);
        assertThat(service.balance("b")).isEqualTo(-1);
        service.withConsumers();

        service.awaitState(transfer, "completed");
        assertThat(service.balance("b")).isEqualTo(60);
    }

    @Test
    void transfers_both_ways_at_the_same_time_neither_deadlock_nor_lose_money() {
        service.withConsumers();
        service.pay("fund-a", "a", "credit", 1_000);
        service.pay("fund-b", "b", "credit", 1_000);
        List<String> transfers = IntStream.range(0, 30)
                .parallel()
                .mapToObj(i -> service.transfer("t" + i, i % 2 == 0 ? "a" : "b", i % 2 == 0 ? "b" : "a", 10))
                .toList();

        transfers.forEach(transfer -> service.awaitState(transfer, "completed"));
        assertThat(service.balance("a")).isEqualTo(1_000);
        assertThat(service.balance("b")).isEqualTo(1_000);
    }

    @Test
    void a_notification_handled_twice_is_one_mail() throws Exception {
        var sent = new AtomicInteger();
        var directory = new MailDirectory(mails);
        service.withConsumers(
                (key, text) -> {
                    directory.send(key, text);
                    if (sent.incrementAndGet() == 1) {
                        throw new IllegalStateException("planted, after the mail and before the commit");
                    }
                },
                UnaryOperator.identity());

        service.pay("d", "w", "debit", 1);

        await().atMost(60, TimeUnit.SECONDS).until(() -> sent.get() == 2);
        assertThat(service.mails()).isEqualTo(1);
    }

    @Test
    void each_reader_has_its_events_and_no_others() throws Exception {
        service.withConsumers();
        service.pay("small", "w", "credit", 49_999);
        service.pay("large", "w", "credit", 50_000);
        service.pay("declined", "w", "debit", 100_000);

        await().atMost(60, TimeUnit.SECONDS).until(() -> service.count("archived_event", "true") == 3);
        await().atMost(60, TimeUnit.SECONDS).until(() -> service.count("fraud_case", "true") == 2);
        await().atMost(60, TimeUnit.SECONDS).until(() -> service.mails() == 1);
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> service.count("daily_total", "entries = 2 and kind = 'credit'") == 1);
    }

    @Test
    void the_archive_tells_a_period_and_forgets_what_is_older_than_six_weeks() {
        service.withConsumers();
        service.pay("p", "w", "credit", 1);
        await().atMost(60, TimeUnit.SECONDS).until(() -> service.count("archived_event", "true") == 1);
        String all = "/wallets/w/archive?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z";
        assertThat(service.get(all).json()).hasSize(1);
        assertThat(service.get("/wallets/w/archive?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z")
                        .json())
                .isEmpty();
        assertThat(service.get("/wallets/w/archive?from=yesterday").status()).isEqualTo(400);

        var archive = new LedgerArchive(service.installation);
        assertThat(archive.prune()).isZero();
        service.installation
                .dsl()
                .execute("update " + service.installation.table("archived_event")
                        + " set booked_at = booked_at - interval '43 days'");
        assertThat(archive.prune()).isEqualTo(1);
    }

    @Test
    void a_poison_payment_is_repaired_by_the_nightly_job_and_the_wallet_goes_on_meanwhile() throws Exception {
        service.withConsumers();
        send("w", "poison", payment("poison", "w", "\"5 cents\""));
        service.pay("next", "w", "credit", 10);
        service.awaitBalance("w", 10);
        awaitDeadLetters(1);

        new NightlyJob(service.installation).run();

        service.awaitBalance("w", 15);
    }

    @Test
    void a_message_with_two_payments_or_none_or_one_of_another_wallet_is_booked_nowhere() {
        service.withConsumers();
        send("w", "two", payment("two", "w", "5") + payment("two", "w", "7"));
        send("w", "none", "null");
        send("w", "stray", payment("stray", "v", "5"));
        service.pay("next", "w", "credit", 10);

        service.awaitBalance("w", 10);
        awaitDeadLetters(3);
        assertThat(service.count("ledger_entry", "true")).isEqualTo(1);
    }

    private void send(String session, String id, String body) {
        var message = OutboxMessage.to(Entities.WALLET_TX)
                .session(session)
                .id(id)
                .subject("WalletCredited")
                .json(body)
                .build();
        service.installation
                .dsl()
                .transaction(tx -> service.installation.outbox().append(tx.dsl(), message));
    }

    private static String payment(String txId, String wallet, String amount) {
        return "{\"txId\":\"" + txId + "\",\"walletId\":\"" + wallet + "\",\"kind\":\"credit\",\"amountCents\":"
                + amount + "}";
    }

    private void awaitDeadLetters(long count) {
        var letters = DeadLetters.in(
                service.installation.dataSource(),
                service.installation.schemas().waybill());
        await().atMost(60, TimeUnit.SECONDS).until(() -> letters.count(DeadLetterFilter.open()) == count);
    }

    @Test
    void a_statement_larger_than_the_broker_takes_arrives_whole() {
        service.withConsumers();
        service.pay("fund", "w", "credit", 1);
        service.awaitBalance("w", 1);
        service.installation
                .dsl()
                .execute("insert into " + service.installation.table("ledger_entry")
                        + " (tx_id, wallet_id, kind, amount_cents, outcome, balance_after)"
                        + " select 'old-' || n, 'w', 'credit', 0, 'applied', 1 from generate_series(1, 5000) as n");

        String id = service.send("POST", "/wallets/w/statements", "s", "")
                .json()
                .path("id")
                .asText();

        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> service.get("/statements/" + id).status() == 200);
        String csv = service.get("/statements/" + id).json().path("csv").asText();
        assertThat(csv.length()).isGreaterThan(256 * 1024);
        assertThat(csv.lines()).hasSize(5_002);
    }

    @Test
    void a_standing_order_pays_each_time_and_not_after_it_was_cancelled() {
        service.withConsumers();
        service.pay("fund", "a", "credit", 100);
        String order =
                "{\"fromWallet\":\"a\",\"toWallet\":\"b\",\"amountCents\":10,\"firstAt\":\"%s\",\"every\":\"%s\",\"times\":%d}";
        service.send("POST", "/standing-orders", "o1", order.formatted("2020-01-01T00:00:00Z", "PT1S", 2));
        String cancelled = service.send(
                        "POST", "/standing-orders", "o2", order.formatted("2100-01-01T00:00:00Z", "PT24H", 3))
                .json()
                .path("id")
                .asText();

        assertThat(service.send("DELETE", "/standing-orders/" + cancelled, "", "")
                        .status())
                .isEqualTo(204);
        assertThat(service.send("DELETE", "/standing-orders/" + cancelled, "", "")
                        .status())
                .isEqualTo(404);
        service.awaitBalance("b", 20);
        assertThat(service.installation
                        .dsl()
                        .fetchCount(org.jooq.impl.DSL.table(
                                service.installation.schemas().waybill().table("outbox_scheduled"))))
                .isZero();
    }

    @Test
    void a_relay_that_is_away_delays_payments_and_loses_none() {
        service.withConsumers();
        service.stopRelay();
        assertThat(service.pay("k", "w", "credit", 7).status()).isEqualTo(202);
        assertThat(service.balance("w")).isEqualTo(-1);

        service.startRelay();

        service.awaitBalance("w", 7);
    }
}
