package dev.waybill.deadletter.repair;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.repair.RepairJob.Report.Count;
import dev.waybill.hold.AuditContext;
import dev.waybill.supervision.Traces;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs rules over open dead letters. The first rule that decides about a letter counts; a rule that throws leaves the letter as
 * it is. Edits and discards are done one by one, each with its audit row. Re-drives follow in one run, in the order of the
 * sessions. A job that was interrupted can be run again. Immutable and thread-safe.
 */
public final class RepairJob {
    private static final Logger LOG = LoggerFactory.getLogger(RepairJob.class);

    private final DeadLetters deadLetters;
    private final Redrives redrives;
    private final List<RepairRule> rules;
    private final RedriveRequest request;
    private final String operator;
    private final Traces traces = new Traces();

    private RepairJob(
            DeadLetters deadLetters,
            Redrives redrives,
            List<RepairRule> rules,
            RedriveRequest request,
            String operator) {
        this.deadLetters = deadLetters;
        this.redrives = redrives;
        this.rules = List.copyOf(rules);
        this.request = request;
        this.operator = operator;
    }

    /** Re-drives go where the request says; the operator is the name of the job in the audit. */
    public static RepairJob of(
            DeadLetters deadLetters,
            Redrives redrives,
            List<RepairRule> rules,
            RedriveRequest request,
            String operator) {
        return new RepairJob(deadLetters, redrives, rules, request, operator);
    }

    /** What the rules would decide, and which letters could not be sent. Changes nothing. */
    public Report dryRun() {
        var pass = new Pass(false);
        Report report = decide(pass);
        pass.end();
        return report;
    }

    /**
     * Carries out what the rules decide. A letter that cannot be sent is reported and not edited.
     *
     * @throws dev.waybill.deadletter.RedriveRefusedException if a letter can no longer be sent. All stay open with their edits, and
     *     the next run re-drives them
     * @throws IllegalStateException if a rule cannot say which letters it matches, or they cannot be read. Decisions of earlier
     *     rules are carried out; later rules are not asked
     */
    public Report run() throws InterruptedException {
        var pass = new Pass(true);
        Report report = decide(pass);
        if (!pass.returning.isEmpty()) {
            redrives.redrive(
                    DeadLetterFilter.ids(pass.returning.keySet()), request, new AuditContext(operator, "repair rules"));
        }
        pass.end();
        return report;
    }

    private Report decide(Pass pass) {
        for (RepairRule rule : rules) {
            if (pass.failure == null) {
                apply(rule, pass);
            }
        }
        if (!pass.returning.isEmpty()) {
            redrives.refusals(DeadLetterFilter.ids(pass.returning.keySet()), request)
                    .forEach(pass::refuse);
        }
        return new Report(pass.counts, pass.refused);
    }

    // Any letter may be one that this rule matches, so no later rule decides.
    private void apply(RepairRule rule, Pass pass) {
        try {
            pass.counts.put(rule.name(), Count.NONE);
            deadLetters.forEach(rule.matches().in(DeadLetter.State.OPEN), letter -> {
                if (!pass.decided.contains(letter.id())) {
                    Repair repair = decide(rule, letter, pass);
                    pass.counts.merge(rule.name(), countOf(repair), RepairJob::sum);
                    // A rule that throws has not left the letter to others.
                    if (repair == FAILED || !(repair instanceof Repair.Leave)) {
                        pass.decided.add(letter.id());
                    }
                }
            });
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            pass.failure = new IllegalStateException(
                    "The letters of a rule could not be found, so neither it nor a later one decides: "
                            + rule.getClass(),
                    e);
        }
    }

    private Repair decide(RepairRule rule, DeadLetter letter, Pass pass) {
        try {
            Repair repair =
                    Objects.requireNonNull(rule.decide(letter), "The rule says nothing, not even that it is left");
            String obstacle = repair instanceof Repair.Fix fix ? obstacle(letter, fix, pass) : "";
            if (!obstacle.isEmpty()) {
                LOG.warn(
                        "Dead letter {} stays as it is: rule '{}' fixes it, but it cannot be re-driven: {}",
                        letter.id(),
                        rule.name(),
                        obstacle);
                pass.refused.put(letter.id(), obstacle);
                return FAILED;
            }
            if (pass.apply || repair instanceof Repair.Redrive) {
                apply(rule, letter, repair, pass);
            }
            return repair;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            traces.warn(
                    LOG,
                    "Rule '" + rule.name() + "' failed with dead letter " + letter.id() + ", which stays as it is",
                    e);
            return FAILED;
        }
    }

    // Checked before the edit, which each run would repeat.
    private String obstacle(DeadLetter letter, Repair.Fix fix, Pass pass) {
        String unserved = pass.unserved.computeIfAbsent(
                letter.origin().entity().path(), entity -> redrives.unserved(entity, request));
        return Redrives.unsendable(letter, fix.content()).orElse(unserved);
    }

    private void apply(RepairRule rule, DeadLetter letter, Repair repair, Pass pass) {
        var by = new AuditContext(operator, "rule " + rule.name());
        if (repair instanceof Repair.Fix fix) {
            if (!isFixed(letter, by)) {
                deadLetters.edit(letter, fix.content(), by);
            }
            pass.returning.put(letter.id(), new Decided(rule.name(), countOf(repair)));
        } else if (repair instanceof Repair.Redrive) {
            pass.returning.put(letter.id(), new Decided(rule.name(), countOf(repair)));
        } else if (repair instanceof Repair.Discard discard) {
            deadLetters.discard(
                    DeadLetterFilter.id(letter.id()), new AuditContext(operator, by.reason() + ": " + discard.why()));
        }
    }

    // The run before ended between the edit and the re-drive.
    private boolean isFixed(DeadLetter letter, AuditContext by) {
        List<DeadLetter.AuditEntry> history = deadLetters.history(letter.id());
        if (history.isEmpty()) {
            return false;
        }
        DeadLetter.AuditEntry last = history.get(history.size() - 1);
        return last.action().equals("edit") && last.instruction().equals(by);
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
                a.unchanged() + b.unchanged(),
                a.failed() + b.failed());
    }

    private static Count negative(Count count) {
        return new Count(-count.fixed(), -count.redriven(), -count.discarded(), -count.unchanged(), -count.failed());
    }

    private record Decided(String rule, Count count) {}

    private static final class Pass {
        private final boolean apply;
        private final Map<String, Count> counts = new LinkedHashMap<>();
        private final Set<Long> decided = new HashSet<>();
        private final Map<Long, Decided> returning = new LinkedHashMap<>();
        private final Map<Long, String> refused = new LinkedHashMap<>();
        private final Map<String, String> unserved = new HashMap<>();
        private @Nullable IllegalStateException failure;

        Pass(boolean apply) {
            this.apply = apply;
        }

        void end() {
            if (failure != null) {
                throw failure;
            }
        }

        void refuse(long id, String why) {
            @Nullable Decided refusal = returning.remove(id);
            if (refusal != null) {
                refused.put(id, why);
                counts.merge(refusal.rule, negative(refusal.count), RepairJob::sum);
                counts.merge(refusal.rule, countOf(FAILED), RepairJob::sum);
            }
        }
    }

    /**
     * The decisions of rules.
     *
     * @param counts by the names of rules, in their order
     * @param refused why letters cannot be sent, by id; they stay as they are, and count as failed
     */
    public record Report(Map<String, Count> counts, Map<Long, String> refused) {
        /**
         * The decisions of one rule.
         *
         * @param fixed edited and re-driven
         * @param redriven re-driven as they are
         * @param unchanged left to other rules
         * @param failed unchanged, because the rule threw, the edit failed or the letter cannot be sent
         */
        public record Count(int fixed, int redriven, int discarded, int unchanged, int failed) {
            static final Count NONE = new Count(0, 0, 0, 0, 0);
        }
    }
}
