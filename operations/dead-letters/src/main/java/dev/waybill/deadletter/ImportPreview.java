package dev.waybill.deadletter;

import java.util.List;

/**
 * The result that an import would have. If one line is refused, nothing would be imported.
 *
 * @param lines lines that are not empty
 * @param imported letters that would be new, or get their bodies
 * @param refused the first 50 lines that are refused
 * @param otherRefused how many further lines are refused
 */
public record ImportPreview(int lines, int imported, List<Refused> refused, int otherRefused) {
    public ImportPreview {
        refused = List.copyOf(refused);
    }

    public record Refused(int line, String why) {}

    public boolean isPossible() {
        return refused.isEmpty();
    }
}
