package dev.waybill.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the benchmarks in a JVM that has all of its heap from the start. A heap that grows takes new pages from the system, a
 * fault for each, and that made some rounds of either side take up to five times as long.
 */
final class FullHeap {
    private static final List<String> TELLING = List.of("-Xm", "-XX:InitialHeapSize", "-XX:+AlwaysPreTouch");

    private FullHeap() {}

    /** Whether this JVM has been told how large its heap is, by {@link #run} or by somebody who knows better. */
    static boolean isSettled() {
        return jvmArguments().stream().anyMatch(argument -> TELLING.stream().anyMatch(argument::startsWith));
    }

    /** Runs the same command once more, with as much heap as this JVM would take at most; returns its exit code. */
    static int run(List<String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(jvmArguments());
        long bytes = Runtime.getRuntime().maxMemory();
        command.addAll(List.of("-Xms" + bytes, "-Xmx" + bytes, "-XX:+AlwaysPreTouch"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Benchmarks.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return process.waitFor();
    }

    private static List<String> jvmArguments() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }
}
