package dev.waybill.standalone.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A queue or topic as it is meant to be.
 *
 * @param name what rows of the outbox call it
 * @param place where it is
 * @param sending how relays send to it
 * @param form what it is
 * @param receiving a queue's receiving side; of no meaning for a topic
 * @param subscriptions a topic's, by name
 */
public record DestinationSettings(
        String name,
        Place place,
        Sending sending,
        Form form,
        Receiving receiving,
        Map<String, Subscription> subscriptions) {
    /** Copies the map, and keeps its order. */
    public DestinationSettings {
        subscriptions = Collections.unmodifiableMap(new LinkedHashMap<>(subscriptions));
    }

    /** The same under another path. */
    public DestinationSettings at(String entity) {
        return new DestinationSettings(
                name, new Place(entity, place.namespace()), sending, form, receiving, subscriptions);
    }

    /**
     * Where an entity is.
     *
     * @param entity its path in the namespace
     * @param namespace its own; empty for that of each database
     */
    public record Place(String entity, Optional<String> namespace) {
        /**
         * Refuses what Azure would refuse as the path of a queue or topic.
         *
         * @param what is meant, for the message
         */
        public static void requirePath(String what, String path) {
            if (!EntityLimits.isPath(path)) {
                throw new IllegalArgumentException(what + " is '" + path + "', and " + EntityLimits.NO_PATH);
            }
        }
    }

    /**
     * How relays send to an entity.
     *
     * @param holdsSession whether a refused message holds its session, or is skipped
     * @param perSessionBatches whether a batch holds messages of one session only
     * @param retain how long published messages stay in the database; zero for not at all
     */
    public record Sending(boolean holdsSession, boolean perSessionBatches, Duration retain) {
        /** Whether published messages stay in the database. */
        public boolean retains() {
            return !retain.isZero();
        }
    }

    /**
     * The kind of an entity, and what it can do.
     *
     * @param duplicateWindow how long repeats are dropped; zero for not at all
     * @param maxMessageSize in bytes; 0 for the tier's
     */
    public record Form(
            boolean topic, boolean partitioned, boolean sessions, Duration duplicateWindow, long maxMessageSize) {}

    /** How messages are handed out. */
    public record Receiving(
            Duration lockDuration,
            int maxDeliveryCount,
            Duration timeToLive,
            boolean deadLetterOnExpiry,
            Optional<String> forwardTo,
            Optional<String> forwardDeadLettersTo) {}

    /**
     * A subscription.
     *
     * @param rules SQL filters by name; none for everything
     */
    public record Subscription(boolean sessions, Receiving receiving, Map<String, String> rules) {
        /** Copies the map, and keeps its order. */
        public Subscription {
            rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
        }
    }
}
