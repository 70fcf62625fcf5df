package dev.waybill.proof.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a run.
 *
 * @param messages how many are committed at least
 * @param seed of all choices
 * @param nemeses names, or {@code all}
 * @param sessions how many accounts receive
 * @param size how many processes
 * @param place where it runs
 */
public record RunSettings(long messages, long seed, List<String> nemeses, int sessions, Size size, Place place) {
    private static final long LONG = 100_000;

    public RunSettings {
        nemeses = List.copyOf(nemeses);
    }

    /** How many messages may be without effect before the writers wait. */
    long backlog() {
        return Math.max(2_000, Math.min(10_000, messages / 10));
    }

    /** Among how many messages eight fail at the first try. A failed one holds its session, and what follows costs ten times as much. */
    int lots() {
        return messages >= LONG ? 10_000 : 1_000;
    }

    /** How many messages share a transaction of the ledger: on two cores a million single ones take more than an hour. */
    int ledgerBatch() {
        return messages >= LONG ? 20 : 1;
    }

    /** How long nothing may move before the run ends; longer than locks, leases and restarts. */
    Duration patience() {
        return Duration.ofSeconds(messages < 50_000 ? 60 : 120);
    }

    /** A long run shall not consist of starts alone. */
    Duration longestRest() {
        return Duration.ofMillis(Math.max(3_000, messages / 10));
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

    /**
     * Where a run takes place.
     *
     * @param folder of the report and the logs
     * @param jdbcUrl an empty database of the user; none for one of the harness
     */
    public record Place(Path folder, Optional<String> jdbcUrl) {}
}
