package dev.waybill.standalone.database;

import java.time.Instant;
import java.util.Optional;

/** A consumer with its live processes, and processes whose heartbeat expired without a clean stop. */
public record ConsumerView(String name, long instances, long vanished, Optional<Instant> lastAlive, Held held) {
    public boolean alive() {
        return instances > 0;
    }

    /** What a consumer set aside; {@code forgotten} counts messages deferred for a day without a resume request. */
    public record Held(long holds, long parked, long messages, long deferrals, long forgotten) {}
}
