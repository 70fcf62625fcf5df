package dev.waybill.standalone.config;

import java.time.Duration;

/**
 * The declaration of a consumer that runs elsewhere; the doctor compares it with the entity.
 *
 * @param entity a destination's name, or {@code destination/subscription}
 * @param receiveAndDelete whether messages are gone once they are handed out
 * @param handling how it handles messages
 * @param memory how long it remembers them
 */
public record ConsumerSettings(String name, String entity, boolean receiveAndDelete, Handling handling, Memory memory) {
    /**
     * How a consumer handles messages.
     *
     * @param handlerTime the longest its handler takes
     * @param lockRenewal how long it prolongs a lock; zero for not at all
     */
    public record Handling(Duration handlerTime, Duration lockRenewal, int prefetch, int concurrency) {}

    /**
     * How long a consumer remembers messages.
     *
     * @param retention how long it remembers ids; zero for ever
     * @param redriveHorizon how old a dead letter may be when it comes back
     */
    public record Memory(Duration retention, Duration redriveHorizon) {}
}
