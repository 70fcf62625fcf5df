package dev.waybill.benchmarks.measure;

/** How much effort goes into the figures. */
public enum Scale {
    /** Figures to publish. */
    FULL,
    /** Figures to work with. */
    SHORT,
    /** Only shows that the benchmark runs; the figures mean nothing. */
    SMOKE;

    /** The value for this scale. */
    public int choose(int full, int brief, int smoke) {
        return switch (this) {
            case FULL -> full;
            case SHORT -> brief;
            case SMOKE -> smoke;
        };
    }
}
