package dev.waybill.standalone.config;

import dev.waybill.message.BrokerNames;
import java.time.Duration;

/** The declaration of a consumer, which the doctor compares with its entity: a destination, or {@code destination/subscription}. */
public record ConsumerSettings(String name, String entity, boolean receiveAndDelete, Handling handling, Memory memory) {
    /** How a consumer handles messages: the longest run of its handler, and its lock renewal; zero disables renewal. */
    public record Handling(Duration handlerTime, Duration lockRenewal, int prefetch, int concurrency) {}

    /** Whether its entity is this one, in any case, or one of its subscriptions. */
    public boolean receivesFrom(String destination) {
        String own = BrokerNames.key(entity);
        String name = BrokerNames.key(destination);
        return own.equals(name) || own.startsWith(name + "/");
    }

    /** How long a consumer keeps message ids, zero for ever, and the age limit of re-driven dead letters. */
    public record Memory(Duration retention, Duration redriveHorizon) {}
}
