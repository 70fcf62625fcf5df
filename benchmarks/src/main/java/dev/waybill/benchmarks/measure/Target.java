package dev.waybill.benchmarks.measure;

import java.util.Locale;

/** The target of a figure; a miss is reported, never an error. */
public record Target(Kind kind, double bound) {
    /** A figure that is only reported. */
    public static final Target NONE = new Target(Kind.NONE, 0);

    /** More is better. */
    public static Target atLeast(double bound) {
        return new Target(Kind.AT_LEAST, bound);
    }

    /** Less is better. */
    public static Target atMost(double bound) {
        return new Target(Kind.AT_MOST, bound);
    }

    String verdict(double value) {
        return switch (kind) {
            case NONE -> "";
            case AT_LEAST -> ">= " + number(bound) + (value >= bound ? "  met" : "  MISSED");
            case AT_MOST -> "<= " + number(bound) + (value <= bound ? "  met" : "  MISSED");
        };
    }

    static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
    }

    private enum Kind {
        NONE,
        AT_LEAST,
        AT_MOST
    }
}
