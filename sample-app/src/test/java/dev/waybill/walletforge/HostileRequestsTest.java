package dev.waybill.walletforge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, keys and amounts that would mix up wallets or messages. */
@ExtendWith(PostgresExtension.class)
class HostileRequestsTest {
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

    /** Such as the id of a transfer's message, which the broker would then take for a repeat. */
    @ParameterizedTest
    @ValueSource(strings = {"transfer-credit/1", "a,b", "two words"})
    void a_key_that_could_be_an_id_of_the_service_is_refused(String key) {
        assertThat(service.pay(key, "w", "credit", 1).status()).isEqualTo(400);
    }

    @Test
    void a_key_that_was_pruned_is_not_accepted_for_another_payment() {
        service.pay("k", "w", "credit", 1);
        await().atMost(10, TimeUnit.SECONDS)
                .until(() -> service.installation
                                .requests()
                                .keepFor(Duration.ofMillis(1))
                                .prune(service.installation.dataSource(), false)
                        > 0);

        assertThat(service.pay("k", "other", "credit", 2).status()).isEqualTo(400);
        assertThat(service.count("payment", "true")).isEqualTo(1);
    }

    /** Service Bus takes their sessions for one. */
    @Test
    void a_wallet_with_a_capital_letter_is_refused_wherever_it_is_named() {
        assertThat(service.pay("k", "Alice", "credit", 1).status()).isEqualTo(400);
        for (String transfer :
                List.of("\"fromWallet\":\"A\",\"toWallet\":\"b\"", "\"fromWallet\":\"a\",\"toWallet\":\"Émile\"")) {
            assertThat(service.send("POST", "/transfers", "k", "{" + transfer + ",\"amountCents\":1}")
                            .status())
                    .isEqualTo(400);
        }
        assertThat(service.send("PUT", "/wallets/Alice/limit", "", "{\"dailyLimitCents\":1}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_path_that_is_not_utf_8_reaches_no_wallet() {
        assertThat(service.send("PUT", "/wallets/j%F6rg/closed", "", "").status())
                .isEqualTo(400);
        assertThat(service.count("wallet", "true")).isZero();
    }

    @Test
    void a_credit_that_no_balance_can_hold_is_declined() {
        service.withConsumers();
        service.pay("k1", "w", "credit", Long.MAX_VALUE);
        service.pay("k2", "w", "credit", 1);

        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> service.count("ledger_entry", "tx_id = 'k2' and outcome = 'declined'") == 1);
        assertThat(service.balance("w")).isEqualTo(Long.MAX_VALUE);
    }

    /** The database refuses them, and a client would take that for a failure of the service. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"firstAt\":\"+1000000000-01-01T00:00:00Z\",\"every\":\"PT24H\"",
                "\"firstAt\":\"0000-01-01T00:00:00Z\",\"every\":\"PT24H\"",
                "\"firstAt\":\"2026-12-01T08:00:00Z\",\"every\":\"PT2562047788015215H\"",
                "\"firstAt\":\"2026-12-01T08:00:00Z\",\"every\":\"-PT24H\"",
                "\"firstAt\":\"tomorrow\",\"every\":\"PT24H\""
            })
    void a_standing_order_of_a_time_that_no_table_holds_is_refused(String times) {
        String order = "{\"fromWallet\":\"a\",\"toWallet\":\"b\",\"amountCents\":1,\"times\":2," + times + "}";

        assertThat(service.send("POST", "/standing-orders", "k", order).status())
                .isEqualTo(400);
    }

    @Test
    void a_negative_limit_is_refused() {
        assertThat(service.send("PUT", "/wallets/w/limit", "", "{\"dailyLimitCents\":-1}")
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-999999999-01-01T00:00:00Z", "%2B300000-01-01T00:00:00Z", "yesterday"})
    void a_period_that_no_table_holds_is_refused(String from) {
        assertThat(service.send("GET", "/wallets/w/archive?to=2027-01-01T00:00:00Z&from=" + from, "", "")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_kind_is_a_word() {
        String payment = "{\"walletId\":\"w\",\"kind\":0,\"amountCents\":1}";

        assertThat(service.send("POST", "/payments", "k", payment).status()).isEqualTo(400);
    }
}
