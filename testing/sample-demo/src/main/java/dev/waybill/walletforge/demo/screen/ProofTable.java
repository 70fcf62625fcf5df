package dev.waybill.walletforge.demo.screen;

import dev.waybill.walletforge.demo.proof.Damage;
import dev.waybill.walletforge.demo.proof.Money;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.proof.Readers;
import dev.waybill.walletforge.demo.proof.RunFacts;
import dev.waybill.walletforge.demo.proof.Traffic;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** The proof for human eyes. */
public final class ProofTable {
    private final StringBuilder text = new StringBuilder();

    private ProofTable() {}

    /** Several lines, the last of which says whether the proof holds. */
    public static String of(Proof proof) {
        var table = new ProofTable();
        table.traffic(proof.traffic());
        table.damage(proof);
        table.money(proof.money());
        proof.readers().ifPresent(table::readers);
        table.run(proof.run());
        table.text.append(proof.ok() ? "The proof holds." : "THE PROOF DOES NOT HOLD.");
        return table.text.toString();
    }

    private void traffic(Traffic traffic) {
        row("transactions", traffic.transactions(), traffic.resends() + " resends had no effect");
        row("published", traffic.published(), verdict(traffic.published() == traffic.transactions()));
        row("delivered", traffic.delivered(), traffic.duplicatesDelivered() + " of them duplicates");
    }

    private void damage(Proof proof) {
        Damage damage = proof.damage();
        zero("duplicates applied", damage.duplicatesApplied());
        zero("lost", damage.lost());
        zero("out of order", damage.outOfOrder());
        zero("wrong balances", damage.wrongBalances());
        zero("overdrawn wallets", damage.overdrawn());
    }

    private void money(Money money) {
        row("declined", money.declined(), "debits above the balance");
        row("money in", amount(money.in()), "");
        row("money out", amount(money.out()), "");
        row("money held", amount(money.held()), verdict(money.balances()));
    }

    private void readers(Readers readers) {
        var ends = readers.transfers();
        row(
                "transfers",
                ends.completed() + ends.declined() + ends.compensated(),
                ends.declined() + " declined, " + ends.compensated() + " compensated");
        zero("wrong transfers", readers.wrongTransfers() + readers.wrongTransferBalances());
        zero("not as archived", readers.archiveDifferences());
        zero("not as in analytics", readers.totalDifferences());
        row(
                "fraud cases",
                readers.others().fraudCases(),
                verdict(readers.others().fraudDifferences() == 0));
        row("e-mails", readers.others().mails(), verdict(readers.others().mailDifferences() == 0));
    }

    private void run(RunFacts run) {
        row("relay restarts", run.relayRestarts(), verdict(run.relayRestarts() >= run.restartsDue()));
        row("seconds", format("%.1f", run.seconds()), "");
    }

    private void zero(String name, long count) {
        row(name, count, verdict(count == 0));
    }

    private void row(String name, long count, String remark) {
        row(name, format("%,d", count), remark);
    }

    private void row(String name, String value, String remark) {
        text.append(format("  %-20s%18s  %s", name, value, remark).stripTrailing())
                .append(System.lineSeparator());
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    private static String verdict(boolean holds) {
        return holds ? "ok" : "NOT OK";
    }

    private static String amount(BigInteger cents) {
        return format("%,.2f", new BigDecimal(cents, 2));
    }
}
