package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldPart;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.standalone.console.access.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The changes of many parked holds, with their labels. */
enum HoldBulkAction {
    RELEASE("Release", "All messages are retried in order; attempts start at zero."),
    RETRY("Retry", "Each is retried once; attempts keep counting."),
    SKIP_FIRST(
            "Skip the first of each",
            "The first message of each, which failed, is removed; the audit keeps it. The others are released."),
    SKIP_ALL(
            "Skip all", "All messages are removed, also those that waited behind the first one; the audit keeps them.");

    /** Bounds the waiting time: each hold is a transaction. */
    static final int MOST = 1_000;

    private final String label;
    private final String what;

    HoldBulkAction(String label, String what) {
        this.label = label;
        this.what = what;
    }

    static HoldBulkAction of(String word) {
        try {
            return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "Holds do not support this action.");
        }
    }

    static List<HoldBulkAction> all() {
        return List.of(values());
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String label() {
        return label;
    }

    /** The effect, in words. */
    public String what() {
        return what;
    }

    /** Whether messages are lost, so that a person types their number. */
    boolean isFinal() {
        return this == SKIP_FIRST || this == SKIP_ALL;
    }

    long messages(HoldTally found) {
        return this == SKIP_FIRST ? found.holds() : found.messages();
    }

    /** Restricts the filter to unchanged holds of the preview. */
    HoldFilter among(HoldPart seen, HeldFilter filter) {
        return isFinal() ? seen.unchanged(filter.parked()) : seen.untried(filter.parked());
    }

    HoldTally apply(Holds holds, HoldFilter filter, AuditContext instruction) {
        return switch (this) {
            case RELEASE -> holds.release(filter, instruction);
            case RETRY -> holds.retry(filter, Duration.ZERO, instruction);
            case SKIP_FIRST -> holds.skipFirst(filter, instruction);
            case SKIP_ALL -> holds.skipAll(filter, instruction);
        };
    }
}
