package dev.waybill.test.proof;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects faults, each once. */
final class Findings {
    private final Map<String, Fault> faults = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final boolean restarts;

    Findings(boolean restarts) {
        this.restarts = restarts;
    }

    private void add(FaultKind kind, String key, String what, Disturbance where) {
        faults.merge(
                kind + " " + key,
                new Fault(kind, what, where.toString(), 1),
                (known, more) -> new Fault(kind, known.what(), known.first(), known.times() + 1));
    }

    void note(String note) {
        notes.add(note);
    }

    boolean failures(RunResult undisturbed) {
        boolean any = false;
        for (Map.Entry<String, String> fate : undisturbed.fates().entrySet()) {
            if (fate.getValue().startsWith("failed") || fate.getValue().startsWith("to be tried")) {
                add(
                        FaultKind.FAILS_UNDISTURBED,
                        fate.getKey(),
                        "message '" + fate.getKey() + "' " + fate.getValue(),
                        Disturbance.NONE);
                any = true;
            }
        }
        return any || nothingDone(undisturbed);
    }

    // A handler that sets every message aside is the same in every run, and proves nothing.
    private boolean nothingDone(RunResult undisturbed) {
        if (undisturbed.fates().containsValue(Fate.DONE.text())) {
            return false;
        }
        undisturbed
                .fates()
                .forEach((id, fate) -> add(
                        FaultKind.FAILS_UNDISTURBED,
                        id,
                        "message '" + id + "' " + fate + ", as did all others: nothing was handled",
                        Disturbance.NONE));
        return true;
    }

    void notRepeatable(String what) {
        add(FaultKind.NOT_REPEATABLE, what, what, Disturbance.NONE);
    }

    void outside(OutsideWork outside) {
        for (OutsideWork.Work work : outside.works()) {
            add(
                    work.kind(),
                    work.sql(),
                    work.sql() + "\nwhile message '" + work.message() + "' was handled",
                    Disturbance.NONE);
        }
        outside.reads()
                .forEach(sql -> note("'" + sql + "' is read through another connection than the message's: it does not"
                        + " see what the handler has written before, and need not fit what it reads later."));
    }

    void compare(RunResult run, Content expected, Content found, RunResult undisturbed) {
        Disturbance where = run.disturbance();
        if (run.disturbed() != null && run.disturbed().kind() == Fate.Kind.SWALLOWED) {
            add(FaultKind.SWALLOWED, where.statement(), where.statement(), where);
        }
        if (run.wentOn()) {
            note("After " + where + " the handler went on without it and reported done. The result was not compared.");
            return;
        }
        if (!run.survivors().isEmpty()) {
            add(FaultKind.SURVIVES_ROLLBACK, "", run.survivors(), where);
        }
        String difference = found.tablesAgainst(expected);
        if (!difference.isEmpty() && run.survivors().isEmpty()) {
            add(kind(run), "", difference, where);
        }
        for (String probe : found.probesAgainst(expected)) {
            add(FaultKind.EFFECT_OUTSIDE_THE_DATABASE, probe.substring(0, probe.indexOf(':')), probe, where);
        }
        fates(run, undisturbed, where);
    }

    private void fates(RunResult run, RunResult undisturbed, Disturbance where) {
        var others = new ArrayList<String>();
        undisturbed.fates().forEach((id, fate) -> {
            String now = run.fates().getOrDefault(id, "not delivered");
            if (!now.equals(fate)) {
                others.add("message '" + id + "': " + now + " instead of " + fate);
            }
        });
        if (!others.isEmpty()) {
            add(FaultKind.OTHER_FATE, "", String.join("\n", others), where);
        }
    }

    private FaultKind kind(RunResult run) {
        return switch (run.disturbance().kind()) {
            case ANOTHER_ORDER -> FaultKind.ORDER_OF_SESSIONS;
            case SIDE_BY_SIDE -> FaultKind.SIDE_BY_SIDE;
            case FAIL -> run.failedOutside() ? FaultKind.SWALLOWED : FaultKind.REMEMBERS;
            case ROLL_BACK, NONE -> FaultKind.REMEMBERS;
            default -> restarts ? FaultKind.FORGETS : FaultKind.REMEMBERS;
        };
    }

    ProofReport report(int messages, int runs) {
        return new ProofReport(messages, runs, List.copyOf(faults.values()), List.copyOf(notes));
    }
}
