package dev.waybill.test.proof;

/**
 * A fault of a handler.
 *
 * @param what the statement, the rows or the value in which it shows
 * @param first the disturbance that showed it first
 * @param times in how many runs it showed
 */
public record Fault(FaultKind kind, String what, String first, int times) {
    @Override
    public String toString() {
        return kind.title() + "\n   " + what.replace("\n", "\n   ") + "\n   seen: " + first
                + (times > 1 ? " (and in " + (times - 1) + " more runs)" : "") + "\n   " + kind.advice();
    }
}
