package dev.waybill.walletforge.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.walletforge.demo.input.GeneratedLoad;
import dev.waybill.walletforge.demo.input.PaymentInput;
import dev.waybill.walletforge.demo.proof.Damage;
import dev.waybill.walletforge.demo.proof.Money;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.proof.RunFacts;
import dev.waybill.walletforge.demo.proof.Traffic;
import dev.waybill.walletforge.demo.screen.ProofTable;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/** The page of WalletForge shows the table of a proof as it is printed, with the figures that its load has on every machine. */
class ReadmeFiguresTest {
    @Test
    void the_table_of_a_run_is_that_of_its_load() throws Exception {
        the_table_is_that_of(ShownRun.plain(), new GeneratedLoad(800, 100, 1));
    }

    @Test
    void the_table_of_a_run_with_faults_is_that_of_its_load() throws Exception {
        the_table_is_that_of(ShownRun.withFaults(), new GeneratedLoad(2_000, 100, 7));
    }

    private static void the_table_is_that_of(ShownRun shown, GeneratedLoad load) {
        int transactions = load.transactions();
        PaymentInput input = load.payments();
        // These differ from run to run.
        long delivered = (long) shown.figure("delivered");
        int restarts = (int) shown.figure("relay restarts");
        double seconds = shown.figure("seconds");

        var traffic = new Traffic(transactions, input.resends(), transactions, delivered, delivered - transactions);
        var facts = new RunFacts(transactions, input.resends(), restarts, restarts, seconds);
        var proof = new Proof(traffic, new Damage(0, 0, 0, 0, 0), money(input), facts);

        assertThat(shown.table()).isEqualTo(ProofTable.of(proof).lines().toList());
        assertThat(shown.lines())
                .anyMatch(line -> line.startsWith(
                        "taken %1$,d/%1$,d, ".formatted(input.lines().size())));
    }

    private static Money money(PaymentInput input) {
        var seen = new HashSet<String>();
        var balances = new HashMap<String, Long>();
        long declined = 0;
        long in = 0;
        long out = 0;
        for (Payment payment : input.lines()) {
            long cents = payment.amountCents();
            if (!seen.add(payment.txId())) {
                continue;
            }
            if (payment.kind() == Kind.CREDIT) {
                in += cents;
                balances.merge(payment.walletId(), cents, Long::sum);
            } else if (cents <= balances.getOrDefault(payment.walletId(), 0L)) {
                out += cents;
                balances.merge(payment.walletId(), -cents, Long::sum);
            } else {
                declined++;
            }
        }
        return new Money(declined, BigInteger.valueOf(in), BigInteger.valueOf(out), BigInteger.valueOf(in - out));
    }
}
