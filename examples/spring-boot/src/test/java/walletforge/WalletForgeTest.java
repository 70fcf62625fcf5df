package walletforge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.spring.test.WaybillTest;
import dev.waybill.test.TestWaybill;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultMatcher;

/** WalletForge by its HTTP interface, in single turns: nothing happens in the background, and nothing is waited for. */
@WaybillTest
@AutoConfigureMockMvc
class WalletForgeTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private TestWaybill waybill;

    @Autowired
    private JdbcTemplate jdbc;

    @BeforeEach
    void open_two_wallets() throws Exception {
        jdbc.execute("truncate wallet, payment, transfer, statement_line, fraud_alert");
        http.perform(put("/wallets/anna")).andExpect(status().isOk());
        http.perform(put("/wallets/bert")).andExpect(status().isOk());
    }

    @Test
    void a_payment_that_the_client_repeats_is_booked_once_and_gets_the_same_answer() throws Exception {
        for (int i = 0; i < 2; i++) {
            pay("p-1", "anna", 500, status().isAccepted());
        }
        waybill.runUntilQuiet();

        waybill.published("wallet-tx").hasIds("payment-p-1");
        requireBalance("anna", 500);
        http.perform(get("/payments/p-1")).andExpect(content().string("\"BOOKED\""));
    }

    @Test
    void a_key_with_another_payment_is_refused() throws Exception {
        pay("p-1", "anna", 500, status().isAccepted());

        pay("p-1", "anna", 501, status().isUnprocessableEntity());

        waybill.appended().hasIds("payment-p-1");
    }

    @Test
    void a_payment_that_is_delivered_twice_is_booked_once() throws Exception {
        waybill.bus()
                .faults()
                .at(FaultPoint.DELIVERED)
                .entity("wallet-tx")
                .times(1)
                .then(FaultAction.deliverTwice());

        pay("p-1", "anna", 500, status().isAccepted());
        waybill.runUntilQuiet();

        requireBalance("anna", 500);
    }

    @Test
    void payments_of_a_wallet_are_booked_in_order_and_none_overdraws_it() throws Exception {
        pay("p-1", "anna", 100, status().isAccepted());
        pay("p-2", "anna", -80, status().isAccepted());
        pay("p-3", "anna", -80, status().isAccepted());
        pay("p-4", "anna", 60, status().isAccepted());
        waybill.runUntilQuiet();

        assertThat(statement("anna")).containsExactly(100L, 20L, 80L);
        http.perform(get("/payments/p-3")).andExpect(content().string("\"DECLINED\""));
    }

    @Test
    void an_event_reaches_each_of_its_readers() throws Exception {
        pay("salary", "anna", 300_000, status().isAccepted());
        pay("lottery", "anna", 2_000_000, status().isAccepted());
        waybill.runUntilQuiet();

        waybill.handled("statements").hasIds("changed-payment-salary", "changed-payment-lottery");
        waybill.handled("fraud").hasIds("changed-payment-salary", "changed-payment-lottery");
        assertThat(jdbc.queryForList("select cause from fraud_alert", String.class))
                .containsExactly("payment-lottery");
    }

    @Test
    void a_transfer_debits_one_wallet_and_credits_the_other() throws Exception {
        pay("p-1", "anna", 500, status().isAccepted());
        transfer("t-1", "anna", "bert", 200);
        waybill.runUntilQuiet();

        requireBalance("anna", 300);
        requireBalance("bert", 200);
        http.perform(get("/transfers/t-1")).andExpect(content().string("\"DONE\""));
    }

    @Test
    void a_transfer_whose_credit_is_not_possible_is_refunded() throws Exception {
        pay("p-1", "anna", 500, status().isAccepted());
        transfer("t-1", "anna", "nobody", 200);
        waybill.runUntilQuiet();

        assertThat(statement("anna")).containsExactly(500L, 300L, 500L);
        http.perform(get("/transfers/t-1")).andExpect(content().string("\"REFUNDED\""));
    }

    @Test
    void a_transfer_above_the_balance_is_declined() throws Exception {
        transfer("t-1", "anna", "bert", 200);
        waybill.runUntilQuiet();

        requireBalance("bert", 0);
        http.perform(get("/transfers/t-1")).andExpect(content().string("\"DECLINED\""));
    }

    private void pay(String key, String wallet, long cents, ResultMatcher expected) throws Exception {
        http.perform(post("/payments")
                        .header("Idempotency-Key", key)
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"wallet\": \"%s\", \"cents\": %d}".formatted(wallet, cents)))
                .andExpect(expected);
    }

    private void transfer(String id, String from, String to, long cents) throws Exception {
        http.perform(post("/transfers")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"id\": \"%s\", \"from\": \"%s\", \"to\": \"%s\", \"cents\": %d}"
                                .formatted(id, from, to, cents)))
                .andExpect(status().isOk());
    }

    private void requireBalance(String wallet, long cents) throws Exception {
        http.perform(get("/wallets/" + wallet)).andExpect(jsonPath("$.cents").value(cents));
    }

    private List<Long> statement(String wallet) {
        return jdbc.queryForList(
                "select balance from statement_line where wallet = ? order by line", Long.class, wallet);
    }
}
