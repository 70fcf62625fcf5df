package dev.waybill.benchmarks.environment;

/** The processor's caches, which hold what was written last. */
public final class CpuCaches {
    private static final int MORE_THAN_ANY_CACHE = 512 << 20;
    private static final int CACHE_LINE = 64;

    private CpuCaches() {}

    /** Fills them with something else, so that a small table just written has no advantage over a large one. */
    public static void evict() {
        var memory = new byte[MORE_THAN_ANY_CACHE];
        for (int i = 0; i < memory.length; i += CACHE_LINE) {
            memory[i]++;
        }
    }
}
