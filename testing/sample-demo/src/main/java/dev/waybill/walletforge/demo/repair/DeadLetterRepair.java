package dev.waybill.walletforge.demo.repair;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.hold.AuditContext;
import dev.waybill.walletforge.WalletService;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.repair.NightlyJob;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Collects the dead letters of a run, and plays the night's job and the operator. Its work is done on one thread.
 */
public final class DeadLetterRepair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AuditContext OPERATOR =
            new AuditContext("walletforge", "the kind was misspelt at the counter");

    private final DeadLetters deadLetters;
    private final Redrives redrives;
    private final NightlyJob nightly;
    private final DeadLetterCollector collector;
    private final CorruptPayments spoiled;
    private volatile boolean repaired;
    private volatile int byRule;
    private volatile int byHand;
    private volatile int redriven;
    private volatile int archived;

    private DeadLetterRepair(Installation installation, DeadLetterCollector collector, CorruptPayments spoiled) {
        var schema = installation.schemas().waybill();
        // An operator may change what a payment says, but not whose it is.
        deadLetters = DeadLetters.in(installation.dataSource(), schema, Set.of("session", "subject"));
        redrives = Redrives.in(installation.dataSource(), schema);
        nightly = new NightlyJob(installation);
        this.collector = collector;
        this.spoiled = spoiled;
    }

    /** Starts collecting. */
    public static DeadLetterRepair open(Installation installation, CorruptPayments spoiled) {
        return new DeadLetterRepair(installation, WalletService.collector(installation), spoiled);
    }

    /** Waits for the dead letters there are to be, has them repaired, brings them back, and archives them. */
    public void work(Consumer<String> events) throws InterruptedException {
        awaitCollected();
        events.accept("dead letters collected: " + deadLetters.count(DeadLetterFilter.everything()));
        byRule = nightly.repair();
        events.accept("dead letters repaired by a rule and re-driven: " + byRule);
        byHand = repairByHand();
        events.accept("dead letters repaired by an operator and re-driven: " + byHand);
        redriven =
                Math.toIntExact(deadLetters.count(DeadLetterFilter.everything().in(DeadLetter.State.REDRIVEN)));
        nightly.archiveClosed(Duration.ZERO);
        archived =
                Math.toIntExact(deadLetters.count(DeadLetterFilter.everything().in(DeadLetter.State.ARCHIVED)));
        events.accept("dead letters in the archive for six weeks: " + archived);
    }

    /** Has the rule repair what it can, once all dead letters are there, and counts what is left for a person. */
    public Left left(Consumer<String> events) throws InterruptedException {
        int missing = Math.max(0, spoiled.count() - Math.toIntExact(deadLetters.count(DeadLetterFilter.everything())));
        if (missing == 0 && !repaired) {
            repaired = true;
            byRule = nightly.repair();
            events.accept("dead letters repaired by a rule and re-driven: " + byRule);
        }
        redriven =
                Math.toIntExact(deadLetters.count(DeadLetterFilter.everything().in(DeadLetter.State.REDRIVEN)));
        byHand = redriven - byRule;
        return new Left(missing, Math.toIntExact(deadLetters.count(DeadLetterFilter.open())));
    }

    private void awaitCollected() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (deadLetters.count(DeadLetterFilter.everything()) < spoiled.count()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Waited for " + PATIENCE.toSeconds() + " s in vain for "
                        + spoiled.count() + " dead letters; there are "
                        + deadLetters.count(DeadLetterFilter.everything()));
            }
            Thread.sleep(20);
        }
    }

    private int repairByHand() throws InterruptedException {
        List<DeadLetter> left = deadLetters.list(DeadLetterFilter.open(), 0, 100);
        for (DeadLetter letter : left) {
            String body = new String(letter.content().body(), StandardCharsets.UTF_8);
            byte[] fixed = Corruption.spellKind(body).getBytes(StandardCharsets.UTF_8);
            deadLetters.edit(letter.id(), content -> content.withBody(fixed), OPERATOR);
        }
        return redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), OPERATOR)
                .redriven();
    }

    /** The result. */
    public Map<String, Integer> counts() {
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("paymentsSpoiled", spoiled.count());
        counts.put("deadLettersRepairedByRule", byRule);
        counts.put("deadLettersRepairedByHand", byHand);
        counts.put("deadLettersRedriven", redriven);
        counts.put("deadLettersArchived", archived);
        return counts;
    }

    /** The same in words. */
    public String inWords() {
        return spoiled.count() + " payments came in spoiled; their dead letters were collected, " + byRule
                + " repaired by a rule, " + byHand + " by an operator, " + redriven + " re-driven, " + archived
                + " archived for six weeks";
    }

    @Override
    public void close() {
        collector.close();
    }

    /**
     * Dead letters that are not dealt with.
     *
     * @param missing are not collected yet
     * @param open wait for a rule or a person
     */
    public record Left(int missing, int open) {}
}
