package dev.waybill.benchmarks.outbox;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** When each message was committed and when it first reached a publisher, for questions about a stretch of time. Thread-safe. */
final class Waits {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<String, Long> committed = new ConcurrentHashMap<>();
    private final Map<String, Long> published = new ConcurrentHashMap<>();

    void committed(String reference, long nanoTime) {
        committed.put(reference, nanoTime);
    }

    /** A repeat changes nothing. */
    void published(String reference, long nanoTime) {
        published.putIfAbsent(reference, nanoTime);
    }

    /** Whether everything that was committed within this time has been published. */
    boolean allPublished(long from, long until) {
        return committed.entrySet().stream()
                .filter(message -> isWithin(message.getValue(), from, until))
                .allMatch(message -> published.containsKey(message.getKey()));
    }

    /** The longest wait of a message committed within this time; one that still waits counts up to now. */
    double longestMillis(long from, long until) {
        long now = System.nanoTime();
        return committed.entrySet().stream()
                        .filter(message -> isWithin(message.getValue(), from, until))
                        .mapToLong(message -> published.getOrDefault(message.getKey(), now) - message.getValue())
                        .max()
                        .orElseThrow(() -> new IllegalStateException("Nothing was committed"))
                / NANOS_PER_MILLI;
    }

    private static boolean isWithin(long time, long from, long until) {
        return time - from >= 0 && time - until <= 0;
    }
}
