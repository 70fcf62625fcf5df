package dev.waybill.test.proof;

import java.util.List;

/**
 * The result of a proof. Immutable.
 *
 * @param runs how often all messages were delivered
 * @param faults empty if the handler has its effects once
 * @param notes what was not tried, or is worth a look
 */
public record ProofReport(int messages, int runs, List<Fault> faults, List<String> notes) {
    public ProofReport {
        faults = List.copyOf(faults);
        notes = List.copyOf(notes);
    }

    public boolean has(FaultKind kind) {
        return faults.stream().anyMatch(fault -> fault.kind() == kind);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("The handler was given " + messages + (messages == 1 ? " message" : " messages")
                + " in " + runs + (runs == 1 ? " run: " : " runs: ")
                + (faults.isEmpty()
                        ? "no fault was found."
                        : faults.size() + (faults.size() == 1 ? " fault." : " faults.")));
        for (int i = 0; i < faults.size(); i++) {
            text.append("\n\n").append(i + 1).append(". ").append(faults.get(i));
        }
        notes.forEach(note -> text.append("\n\nNote: ").append(note));
        return text.toString();
    }
}
