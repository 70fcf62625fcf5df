package dev.waybill.test.proof;

import dev.waybill.inbox.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

final class Proof {
    private static final int MOST_RUNS = 2_000;
    private static final AtomicInteger PROOFS = new AtomicInteger();

    private final Terms terms;
    private final Tables tables;
    private final OutsideWork outside;
    private final Findings findings;
    private final String consumers =
            "handler-proof-" + ProcessHandle.current().pid() + "-" + PROOFS.incrementAndGet() + "-";
    private int runs;

    Proof(Terms terms) {
        this.terms = terms;
        tables = new Tables(terms);
        outside = new OutsideWork(terms.comparison().allowed());
        findings = new Findings(terms.subject().restarts());
    }

    ProofReport go() throws InterruptedException {
        try {
            prove();
        } finally {
            tables.restore();
            tables.forget(consumers);
        }
        findings.outside(outside);
        return findings.report(terms.messages().size(), runs);
    }

    private void prove() throws InterruptedException {
        RunResult undisturbed = run(Disturbance.NONE);
        if (findings.failures(undisturbed)) {
            return;
        }
        RunResult again = run(Disturbance.NONE);
        List<String> columns = undisturbed.content().differingColumns(again.content());
        columns.forEach(column -> findings.notRepeatable(undisturbed.content().example(again.content(), column)));
        List<String> probes = again.content().probesAgainst(undisturbed.content());
        probes.forEach(findings::notRepeatable);
        List<String> names = probes.stream()
                .map(probe -> probe.substring(0, probe.indexOf(':')))
                .toList();
        Content expected = undisturbed.content().without(columns, names);
        for (Disturbance disturbance : disturbances(undisturbed)) {
            if (runs >= MOST_RUNS) {
                findings.note("Only the first " + MOST_RUNS + " runs were made. Prove fewer messages at a time.");
                break;
            }
            RunResult result = run(disturbance);
            findings.compare(result, expected, result.content().without(columns, names), undisturbed);
        }
    }

    private RunResult run(Disturbance disturbance) throws InterruptedException {
        runs++;
        return new Run(terms, tables, outside, consumers + runs, disturbance).go();
    }

    private List<Disturbance> disturbances(RunResult undisturbed) {
        var all = new ArrayList<Disturbance>();
        for (InboundMessage message : terms.messages()) {
            List<String> steps = undisturbed.steps().getOrDefault(message.id(), List.of());
            for (int step = 1; step <= steps.size(); step++) {
                for (Disturbance.Kind kind :
                        List.of(Disturbance.Kind.END_BEFORE, Disturbance.Kind.END_AFTER, Disturbance.Kind.FAIL)) {
                    all.add(new Disturbance(kind, message.id(), step, steps.get(step - 1)));
                }
            }
            for (Disturbance.Kind kind : List.of(
                    Disturbance.Kind.ROLL_BACK,
                    Disturbance.Kind.END_BEFORE_COMMIT,
                    Disturbance.Kind.END_AFTER_COMMIT)) {
                all.add(new Disturbance(kind, message.id(), 0, ""));
            }
        }
        if (Run.sessions(terms.messages()).size() > 1) {
            all.add(Disturbance.ANOTHER_ORDER);
            all.add(Disturbance.SIDE_BY_SIDE);
        } else {
            findings.note(
                    "All messages are of one session, so neither another order of sessions nor sessions side by side"
                            + " were tried.");
        }
        return all;
    }
}
