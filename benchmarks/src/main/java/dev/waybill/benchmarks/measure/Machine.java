package dev.waybill.benchmarks.measure;

import dev.waybill.benchmarks.environment.Environment;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Where the figures come from; without it they mean nothing. */
public record Machine(Map<String, String> facts) {
    private static final long GIBIBYTE = 1L << 30;

    /** This machine now, after a run. */
    public static Machine of(Environment environment) {
        var facts = new LinkedHashMap<String, String>();
        facts.put("machine", cores() + " cores, " + memory() + ", " + System.getProperty("os.name"));
        facts.put("JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("PostgreSQL", environment.describePostgres());
        facts.put(
                "load average at the end",
                String.format(Locale.ROOT, "%.1f", operatingSystem().getSystemLoadAverage()));
        return new Machine(facts);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static String memory() {
        long bytes = operatingSystem() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
        long heap = Runtime.getRuntime().maxMemory();
        return bytes / GIBIBYTE + " GiB (heap " + heap / GIBIBYTE + " GiB)";
    }

    private static java.lang.management.OperatingSystemMXBean operatingSystem() {
        return ManagementFactory.getOperatingSystemMXBean();
    }
}
