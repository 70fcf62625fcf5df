package dev.waybill.deadletter;

import java.util.List;

/**
 * The result of taking fields out of dead letters.
 *
 * @param redacted how many letters had one of the fields, now or in a former version
 * @param refused the ids of letters that stay as they are, because nobody can tell what their bodies have at a
 *     path: a body is no JSON, or is kept outside its message
 */
public record RedactionReport(int redacted, List<Long> refused) {
    /** Copies the list. */
    public RedactionReport {
        refused = List.copyOf(refused);
    }
}
