package dev.waybill.standalone.config;

import java.time.Duration;

/**
 * The declaration of a consumer in another process, which the doctor compares with the entity.
 *
 * @param entity a destination, or {@code destination/subscription}
 */
public record ConsumerSettings(String name, String entity, boolean receiveAndDelete, Handling handling, Memory memory) {
    /**
     * How a consumer handles messages.
     *
     * @param handlerTime the longest run of its handler
     * @param lockRenewal zero disables renewal
     */
    public record Handling(Duration handlerTime, Duration lockRenewal, int prefetch, int concurrency) {}

    /**
     * How long a consumer keeps message ids.
     *
     * @param retention zero keeps them forever
     * @param redriveHorizon the age limit of dead letters that are re-driven
     */
    public record Memory(Duration retention, Duration redriveHorizon) {}
}
