package dev.waybill.deadletter;

import dev.waybill.deadletter.RepairReport.Count;
import dev.waybill.hold.Instruction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets rules look at open dead letters: the first rule that decides something about one has decided. Edits and discards are
 * made one by one, with their audit rows; what is to come back comes back at the end, in one run and in the original order of
 * the sessions. A job that was interrupted can be run again. Immutable and thread-safe.
 */
public final class RepairJob {
    private static final Logger LOG = LoggerFactory.getLogger(RepairJob.class);

    private final DeadLetters letters;
    private final Redrives redrives;
    private final List<RepairRule> rules;
    private final RedriveOrder order;
    private final String operator;

    private RepairJob(
            DeadLetters letters, Redrives redrives, List<RepairRule> rules, RedriveOrder order, String operator) {
        this.letters = letters;
        this.redrives = redrives;
        this.rules = List.copyOf(rules);
        this.order = order;
        this.operator = operator;
    }

    /**
     * A job.
     *
     * @param order where to bring back what is brought back
     * @param operator the job's name in the audit
     */
    public static RepairJob of(
            DeadLetters letters, Redrives redrives, List<RepairRule> rules, RedriveOrder order, String operator) {
        return new RepairJob(letters, redrives, rules, order, operator);
    }

    /** Says what the rules would decide, and does nothing. */
    public RepairReport dryRun() {
        return decide((rule, letter, repair) -> {});
    }

    /**
     * Does what the rules decide.
     *
     * @throws RedriveRefusedException if what is to come back cannot; it is open still, with its edits
     */
    public RepairReport run() throws InterruptedException {
        var returning = new ArrayList<Long>();
        RepairReport report = decide((rule, letter, repair) -> apply(rule, letter, repair, returning));
        if (!returning.isEmpty()) {
            redrives.redrive(DeadLetterFilter.ids(returning), order, new Instruction(operator, "repair rules"));
        }
        return report;
    }

    private RepairReport decide(Action action) {
        var counts = new LinkedHashMap<String, Count>();
        Set<Long> decided = new HashSet<>();
        for (RepairRule rule : rules) {
            counts.put(rule.name(), Count.NONE);
            letters.forEach(rule.matches().in(DeadLetterState.OPEN), letter -> {
                if (!decided.contains(letter.id())) {
                    Repair repair = decide(rule, letter, action);
                    counts.merge(rule.name(), countOf(repair), RepairJob::sum);
                    if (repair != FAILED && !(repair instanceof Repair.Leave)) {
                        decided.add(letter.id());
                    }
                }
            });
        }
        return new RepairReport(counts);
    }

    private static Repair decide(RepairRule rule, DeadLetter letter, Action action) {
        try {
            Repair repair = rule.decide(letter);
            action.take(rule, letter, repair);
            return repair;
        } catch (Exception e) {
            LOG.warn("Rule '{}' failed with dead letter {}, which stays as it is", rule.name(), letter.id(), e);
            return FAILED;
        }
    }

    private void apply(RepairRule rule, DeadLetter letter, Repair repair, List<Long> returning) {
        var word = new Instruction(operator, "rule " + rule.name());
        if (repair instanceof Repair.Fix fix) {
            letters.edit(
                    letter.id(),
                    current -> {
                        if (!ContentDiff.between(letter.content(), current).isEmpty()) {
                            throw new IllegalStateException("Somebody else has edited it meanwhile");
                        }
                        return fix.content();
                    },
                    word);
            returning.add(letter.id());
        } else if (repair instanceof Repair.Redrive) {
            returning.add(letter.id());
        } else if (repair instanceof Repair.Discard discard) {
            letters.discard(
                    DeadLetterFilter.id(letter.id()), new Instruction(operator, word.reason() + ": " + discard.why()));
        }
    }

    private static final Repair FAILED = new Repair.Leave();

    private static Count countOf(Repair repair) {
        if (repair == FAILED) {
            return new Count(0, 0, 0, 0, 1);
        }
        return new Count(
                repair instanceof Repair.Fix ? 1 : 0,
                repair instanceof Repair.Redrive ? 1 : 0,
                repair instanceof Repair.Discard ? 1 : 0,
                repair instanceof Repair.Leave ? 1 : 0,
                0);
    }

    private static Count sum(Count a, Count b) {
        return new Count(
                a.fixed() + b.fixed(),
                a.redriven() + b.redriven(),
                a.discarded() + b.discarded(),
                a.left() + b.left(),
                a.failed() + b.failed());
    }

    /** What is done with a decision. */
    private interface Action {
        void take(RepairRule rule, DeadLetter letter, Repair repair);
    }
}
