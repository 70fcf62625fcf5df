package dev.waybill.walletforge.demo.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.util.HashMap;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class GeneratedLoadTest {
    @Test
    void the_same_numbers_give_the_same_payments() {
        assertThat(new GeneratedLoad(500, 20, 7).payments()).isEqualTo(new GeneratedLoad(500, 20, 7).payments());
        assertThat(new GeneratedLoad(500, 20, 8).payments()).isNotEqualTo(new GeneratedLoad(500, 20, 7).payments());
    }

    @Test
    void the_payments_do_not_change_from_one_release_to_the_next() {
        assertThat(new GeneratedLoad(3, 2, 1).payments().lines())
                .containsExactly(
                        new Payment("tx-0000001", "wallet-00001", Kind.CREDIT, 4589),
                        new Payment("tx-0000002", "wallet-00002", Kind.DEBIT, 34255),
                        new Payment("tx-0000003", "wallet-00002", Kind.CREDIT, 1749));
    }

    @Test
    void transactions_are_distinct_and_resends_repeat_an_earlier_one() {
        var input = new GeneratedLoad(2_000, 50, 7).payments();

        assertThat(input.transactions()).isEqualTo(2_000);
        assertThat(input).isEqualTo(PaymentInput.of(input.lines()));
        assertThat(input.resends()).isBetween(20, 120);
        var known = new HashMap<String, Payment>();
        for (Payment payment : input.lines()) {
            var first = known.putIfAbsent(payment.txId(), payment);
            if (first != null) {
                assertThat(payment)
                        .usingRecursiveComparison()
                        .ignoringFields("position")
                        .isEqualTo(first);
            }
        }
    }

    @Test
    void every_wallet_is_used_and_some_debits_exceed_any_balance() {
        var input = new GeneratedLoad(2_000, 50, 7).payments();
        var wallets = new HashSet<String>();
        input.lines().forEach(payment -> wallets.add(payment.walletId()));
        long credits = input.lines().stream()
                .filter(payment -> payment.kind() == Kind.CREDIT)
                .mapToLong(Payment::amountCents)
                .sum();

        assertThat(wallets).hasSize(50);
        assertThat(input.lines()).anyMatch(payment -> payment.kind() == Kind.DEBIT && payment.amountCents() > credits);
    }

    @Test
    void a_load_of_nothing_is_refused() {
        assertThatThrownBy(() -> new GeneratedLoad(0, 1, 1)).isInstanceOf(BadInputException.class);
        assertThatThrownBy(() -> new GeneratedLoad(1, 0, 1)).isInstanceOf(BadInputException.class);
    }
}
