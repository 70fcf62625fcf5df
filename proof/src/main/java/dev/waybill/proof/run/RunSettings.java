package dev.waybill.proof.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a run.
 *
 * @param messages how many are committed at least
 * @param seed of all choices
 * @param nemeses names, or {@code all}
 * @param sessions how many accounts receive
 * @param size how many relays and consumers
 * @param folder where the report and the logs are written
 */
public record RunSettings(long messages, long seed, List<String> nemeses, int sessions, Size size, Path folder) {
    /** How many messages may be without effect before the writers wait. */
    long backlog() {
        return Math.max(2_000, Math.min(20_000, messages / 10));
    }

    /** How long the transactions that stay open do so. */
    Duration longTransaction() {
        return messages >= 500_000 ? Duration.ofMinutes(10) : Duration.ofSeconds(Math.max(5, messages / 1_500));
    }

    /**
     * The size of the cast.
     *
     * @param relays processes
     * @param consumers processes, each with a consumer for each subscription
     * @param fronts how many nemeses strike side by side
     */
    public record Size(int relays, int consumers, int fronts) {}
}
