package dev.waybill.standalone.doctor;

import dev.waybill.standalone.doctor.Finding.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

final class Findings {
    private final List<Finding> all = new ArrayList<>();

    void error(Diagnosis mistake, String where, String evidence, String fix) {
        all.add(new Finding(mistake, Severity.ERROR, where, evidence, mistake.why(), fix));
    }

    void warning(Diagnosis mistake, String where, String evidence, String fix) {
        warning(mistake, where, evidence, mistake.why(), fix);
    }

    /** A warning with its own reason. */
    void warning(Diagnosis mistake, String where, String evidence, String why, String fix) {
        all.add(new Finding(mistake, Severity.WARNING, where, evidence, why, fix));
    }

    void unverified(Diagnosis mistake, String where, String why) {
        all.add(new Finding(
                mistake,
                Severity.UNVERIFIED,
                where,
                "cannot verify: " + why,
                mistake.why(),
                "look at it by other means"));
    }

    List<Finding> sorted() {
        return merged().stream()
                .sorted(Comparator.comparing(Finding::severity)
                        .thenComparing(finding -> finding.mistake().number())
                        .thenComparing(Finding::where))
                .distinct()
                .toList();
    }

    // One reason may hide many entities and is reported once.
    private Collection<Finding> merged() {
        var merged = new LinkedHashMap<Object, Finding>();
        for (Finding finding : all) {
            Object key = finding.severity() == Severity.UNVERIFIED ? finding.mistake() + finding.evidence() : finding;
            merged.merge(key, finding, Findings::together);
        }
        return merged.values();
    }

    private static Finding together(Finding first, Finding second) {
        return first.where().equals(second.where())
                ? first
                : new Finding(
                        first.mistake(),
                        first.severity(),
                        first.where() + ", " + second.where(),
                        first.evidence(),
                        first.why(),
                        first.fix());
    }
}
