package dev.waybill.standalone.database;

import java.time.Instant;
import java.util.Optional;

/**
 * A consumer.
 *
 * @param instances live processes
 * @param vanished processes whose heartbeat expired without a clean stop
 * @param lastAlive the last known heartbeat; empty if none was recorded
 */
public record ConsumerView(String name, long instances, long vanished, Optional<Instant> lastAlive, Held held) {
    public boolean alive() {
        return instances > 0;
    }

    /**
     * The messages and sessions that a consumer set aside.
     *
     * @param holds held sessions and messages
     * @param parked holds that wait for an operator
     * @param forgotten messages deferred for a day without a resume request
     */
    public record Held(long holds, long parked, long messages, long deferrals, long forgotten) {}
}
