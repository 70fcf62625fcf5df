package dev.waybill.standalone.cost;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The load of a namespace in a month.
 *
 * @param hours of a month
 * @param units messaging units, for Premium
 */
public record Load(double hours, int units, List<Traffic> traffic) {
    /** Hours of a month that prices usually count with. */
    static final double USUAL_HOURS = 730;

    /** Bytes of a message whose size nobody gives. */
    public static final int USUAL_BYTES = 1_024;

    static final int USUAL_WORKERS = 8;
    static final Duration USUAL_TIME = Duration.ofMillis(50);
    static final Duration USUAL_LOCK = Duration.ofMinutes(1);

    /** Copies. */
    public Load {
        traffic = List.copyOf(traffic);
    }

    /** A load of queues and topics that have nothing special: small messages, no failures, a minute's lock. */
    public static Load plain(Map<String, Counters.Rate> rates, int bytes, int subscriptions, boolean sessions) {
        var handling = new Handling(USUAL_WORKERS, USUAL_TIME, USUAL_LOCK);
        var used = new Sessions(sessions, 1, 0);
        List<Receiving> receivers = IntStream.rangeClosed(1, Math.max(1, subscriptions))
                .mapToObj(i -> new Receiving(
                        subscriptions == 0 ? "consumer" : "subscription " + i, 1, handling, new Failing(0, 0), used))
                .toList();
        List<Traffic> traffic = rates.entrySet().stream()
                .map(rate -> new Traffic(
                        rate.getKey(),
                        subscriptions > 0,
                        rate.getValue().perSecond(),
                        new Sending(bytes, 1, rate.getValue().sentAgain()),
                        receivers))
                .toList();
        return new Load(USUAL_HOURS, 1, traffic);
    }

    double seconds() {
        return hours * 3_600;
    }

    /**
     * The messages of a queue or topic.
     *
     * @param topic whether it is one
     * @param perSecond messages, in the mean over the month
     */
    public record Traffic(
            String destination, boolean topic, double perSecond, Sending sending, List<Receiving> receivers) {
        /** Copies. */
        public Traffic {
            receivers = List.copyOf(receivers);
        }
    }

    /**
     * The way of messages to the broker.
     *
     * @param bytes of a message with its properties
     * @param batch messages in a send
     * @param sentAgain sends of what was sent before, for each message
     */
    public record Sending(double bytes, double batch, double sentAgain) {}

    /**
     * A consumer of a queue or subscription.
     *
     * @param name the subscription's; of a queue, "consumer"
     * @param share of the messages that come here
     */
    public record Receiving(String name, double share, Handling handling, Failing failing, Sessions sessions) {}

    /**
     * The work of a consumer.
     *
     * @param workers messages or sessions at a time, of all its processes together
     * @param time from the delivery of a message to its settlement
     */
    public record Handling(double workers, Duration time, Duration lock) {
        /** Waybill renews a lock when half of it is over, and again after each half. */
        double renewals() {
            double half = lock.toMillis() / 2.0;
            return half <= 0 ? 0 : Math.floor(time.toMillis() / half);
        }
    }

    /**
     * The failures, for each message that comes.
     *
     * @param deliveredAgain deliveries beyond the first
     * @param deadLettered messages that end in the dead-letter queue, and are collected from there
     */
    public record Failing(double deliveredAgain, double deadLettered) {}

    /**
     * Sessions.
     *
     * @param used whether the entity has them
     * @param perAcceptance messages that a consumer handles of a session before it lets go of it
     * @param stateCalls reads and writes of the broker's session state, for each message
     */
    public record Sessions(boolean used, double perAcceptance, double stateCalls) {}
}
