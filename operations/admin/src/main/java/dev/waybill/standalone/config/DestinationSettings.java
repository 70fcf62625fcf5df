package dev.waybill.standalone.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The declaration of a queue or topic; {@code receiving} applies to queues only. */
public record DestinationSettings(
        String name,
        Place place,
        Sending sending,
        Form form,
        Receiving receiving,
        Map<String, Subscription> subscriptions) {
    public DestinationSettings {
        subscriptions = Collections.unmodifiableMap(new LinkedHashMap<>(subscriptions));
    }

    /** This declaration under another path. */
    public DestinationSettings at(String entity) {
        return new DestinationSettings(
                name, new Place(entity, place.namespace()), sending, form, receiving, subscriptions);
    }

    /** The location of an entity; without a namespace, that of the database applies. */
    public record Place(String entity, Optional<String> namespace) {
        /** Refuses a path that Azure rejects; {@code what} names the option. */
        public static void requirePath(String what, String path) {
            if (!EntityLimits.isPath(path)) {
                throw new IllegalArgumentException(what + " is '" + path + "', and " + EntityLimits.NO_PATH);
            }
        }
    }

    /**
     * How relays send to an entity.
     *
     * @param holdsSession whether a rejected message holds its session
     * @param perSessionBatches whether a batch contains one session only
     * @param retain how long published messages stay in the database; zero disables it
     */
    public record Sending(boolean holdsSession, boolean perSessionBatches, Duration retain) {
        public boolean retains() {
            return !retain.isZero();
        }
    }

    /** The form of an entity; zero disables duplicate detection, and a message size of 0 means the limit of the tier. */
    public record Form(
            boolean topic, boolean partitioned, boolean sessions, Duration duplicateWindow, long maxMessageSize) {}

    public record Receiving(
            Duration lockDuration,
            int maxDeliveryCount,
            Duration timeToLive,
            boolean deadLetterOnExpiry,
            Optional<String> forwardTo,
            Optional<String> forwardDeadLettersTo) {}

    /** A subscription with SQL filters by name; without filters it receives everything. */
    public record Subscription(boolean sessions, Receiving receiving, Map<String, String> rules) {
        public Subscription {
            rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
        }
    }
}
