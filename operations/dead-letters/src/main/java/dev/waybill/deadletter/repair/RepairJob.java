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
 * Lets rules look at open dead letters: the first rule that decides something about one has decided, and one that
 * throws leaves it as it is. Edits and discards are made one by one, with their audit rows; what is to come back
 * comes back at the end, in one run and in the original order of the sessions. A job that was interrupted can be
 * run again. Immutable and thread-safe.
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

    /**
     * A job.
     *
     * @param request where to bring back what is brought back
     * @param operator the job's name in the audit
     */
    public static RepairJob of(
            DeadLetters deadLetters,
            Redrives redrives,
            List<RepairRule> rules,
            RedriveRequest request,
            String operator) {
        return new RepairJob(deadLetters, redrives, rules, request, operator);
    }

    /** Says what the rules would decide and which of it cannot be done, and does nothing. */
    public Report dryRun() {
        var pass = new Pass(false);
        Report report = decide(pass);
        pass.end();
        return report;
    }

    /**
     * Does what the rules decide. One that cannot go is reported and left as it is, without its fix; the others
     * go.
     *
     * @throws RedriveRefusedException if what could go when it was looked at cannot any more; it is open still,
     *     with its edits, and the next run brings it back without editing it again
     * @throws IllegalStateException if a rule cannot say which letters it is about, or they cannot be read: what
     *     the rules before it decided was done, and no rule behind it was asked
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
                look(rule, pass);
            }
        }
        if (!pass.returning.isEmpty()) {
            redrives.refusals(DeadLetterFilter.ids(pass.returning.keySet()), request)
                    .forEach(pass::refuse);
        }
        return new Report(pass.counts, pass.refused);
    }

    // Any letter may be one of a rule's that cannot say which: no later rule decides. Earlier
    // decisions are carried out.
    private void look(RepairRule rule, Pass pass) {
        try {
            pass.counts.put(rule.name(), Count.NONE);
            deadLetters.forEach(rule.matches().in(DeadLetter.State.OPEN), letter -> {
                if (!pass.decided.contains(letter.id())) {
                    Repair repair = decide(rule, letter, pass);
                    pass.counts.merge(rule.name(), countOf(repair), RepairJob::sum);
                    // A rule that throws has not said that others may decide.
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
                        "Dead letter {} stays as it is, which rule '{}' wants back: {}",
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

    // Asked before the fix is made, which would be made again each time.
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

    // The run before this one ended between the fix and the re-drive.
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

    /** The rule that wants one back, and how that was counted. */
    private record Decided(String rule, Count count) {}

    /** The results of one pass of the rules. */
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
     * The decisions of the rules, or those that they would make.
     *
     * @param counts by the rules' names, in their order
     * @param refused why each that was to come back cannot, by its id; it is as it was, and counted as failed
     */
    public record Report(Map<String, Count> counts, Map<Long, String> refused) {
        /**
         * The decisions of one rule.
         *
         * @param fixed edited and brought back
         * @param redriven brought back as they are
         * @param discarded closed
         * @param unchanged as they were
         * @param failed as they were, because the rule threw something, the edit failed or they cannot go
         */
        public record Count(int fixed, int redriven, int discarded, int unchanged, int failed) {
            static final Count NONE = new Count(0, 0, 0, 0, 0);
        }
    }
}
