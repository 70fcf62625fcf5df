package dev.waybill.proof.run;

import dev.waybill.proof.check.Finding;
import dev.waybill.proof.timeline.Timeline;
import java.util.List;

/**
 * What a run has shown.
 *
 * @param findings of each check
 * @param timeline what happened when
 */
public record Verdict(RunSettings settings, List<Finding> findings, Timeline timeline) {
    /** Whether each promise holds. */
    public boolean holds() {
        return findings.stream().allMatch(Finding::holds);
    }
}
