package dev.waybill.deadletter;

import java.util.List;

/**
 * The result that an import would have. If one line is refused, nothing would be imported.
 *
 * @param lines those that are not empty
 * @param imported how many would be new, or are here without their bodies; the others are here already, or to be forgotten
 * @param refused the first ones
 * @param otherRefused how many more are refused
 */
public record ImportPreview(int lines, int imported, List<Refused> refused, int otherRefused) {
    /** Copies the list. */
    public ImportPreview {
        refused = List.copyOf(refused);
    }

    /**
     * A line that cannot be imported.
     *
     * @param line its number, from 1 on
     */
    public record Refused(int line, String why) {}

    /** Whether nothing stands in the way. */
    public boolean isPossible() {
        return refused.isEmpty();
    }
}
