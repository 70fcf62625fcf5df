package dev.waybill.walletforge.demo.proof;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The figures of a run, and whether they hold. */
public record Proof(Traffic traffic, Damage damage, Money money, RunFacts run, Optional<Readers> readers) {
    /** A proof of payments alone. */
    public Proof(Traffic traffic, Damage damage, Money money, RunFacts run) {
        this(traffic, damage, money, run, Optional.empty());
    }

    /** The same with transfers and readers. */
    public Proof with(Readers found) {
        return new Proof(traffic, damage, money, run, Optional.of(found));
    }

    /** Whether every payment took effect exactly once, in order, and the money is all there. */
    public boolean ok() {
        return damage.none()
                && readers.map(Readers::ok).orElse(true)
                && money.balances()
                && traffic.published() == traffic.transactions()
                && run.relayRestarts() >= run.restartsDue();
    }

    /** All figures by name, in the order of the report. */
    public Map<String, Object> figures() {
        var figures = new LinkedHashMap<String, Object>();
        figures.put("transactions", traffic.transactions());
        figures.put("resends", traffic.resends());
        figures.put("published", traffic.published());
        figures.put("delivered", traffic.delivered());
        figures.put("duplicatesDelivered", traffic.duplicatesDelivered());
        figures.put("duplicatesApplied", damage.duplicatesApplied());
        figures.put("lost", damage.lost());
        figures.put("outOfOrder", damage.outOfOrder());
        figures.put("wrongBalances", damage.wrongBalances());
        figures.put("overdrawn", damage.overdrawn());
        figures.put("declined", money.declined());
        figures.put("moneyIn", money.in());
        figures.put("moneyOut", money.out());
        figures.put("moneyHeld", money.held());
        readers.ifPresent(found -> add(found, figures));
        figures.put("relayRestarts", run.relayRestarts());
        figures.put("injections", run.injections());
        figures.put("seconds", Math.round(run.seconds() * 1000) / 1000.0);
        figures.put("ok", ok());
        return figures;
    }

    private static void add(Readers readers, Map<String, Object> figures) {
        figures.put("transfersCompleted", readers.transfers().completed());
        figures.put("transfersDeclined", readers.transfers().declined());
        figures.put("transfersCompensated", readers.transfers().compensated());
        figures.put("wrongTransfers", readers.wrongTransfers());
        figures.put("wrongTransferBalances", readers.wrongTransferBalances());
        figures.put("archiveDifferences", readers.archiveDifferences());
        figures.put("totalDifferences", readers.totalDifferences());
        figures.put("fraudCases", readers.others().fraudCases());
        figures.put("fraudDifferences", readers.others().fraudDifferences());
        figures.put("mails", readers.others().mails());
        figures.put("mailDifferences", readers.others().mailDifferences());
    }
}
