package dev.waybill.standalone.database;

import java.time.Instant;
import java.util.Optional;

/**
 * A consumer as the database knows it.
 *
 * @param instances its processes that are alive
 * @param vanished processes that have not said in time that they live, and did not end in good order; forgotten after ten
 *     minutes if another consumer is alive
 * @param lastAlive until when one of them was sure to be alive; empty if that was never recorded
 * @param held what waits besides the queue
 */
public record ConsumerView(String name, long instances, long vanished, Optional<Instant> lastAlive, Held held) {
    /** Whether one of its processes has said so in time. */
    public boolean alive() {
        return instances > 0;
    }

    /**
     * The messages and sessions that a consumer has put aside.
     *
     * @param holds sessions and single messages on hold
     * @param parked those of them that wait for an operator
     * @param messages messages on hold
     * @param deferrals deferred messages
     * @param forgotten those of them that have lain for a day, and nobody has asked for
     */
    public record Held(long holds, long parked, long messages, long deferrals, long forgotten) {}
}
