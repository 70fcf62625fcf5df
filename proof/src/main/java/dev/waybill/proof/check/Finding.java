package dev.waybill.proof.check;

import java.util.List;

/**
 * What a check found.
 *
 * @param check the promise
 * @param count of cases that break it
 * @param examples some of them
 */
public record Finding(String check, long count, List<String> examples) {
    public Finding {
        examples = List.copyOf(examples);
    }

    /** Whether the promise holds. */
    public boolean holds() {
        return count == 0;
    }
}
