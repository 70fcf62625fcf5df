package dev.waybill.standalone.cost;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The monthly load of a namespace; {@code units} are messaging units of Premium. */
public record Load(double hours, int units, List<Traffic> traffic) {
    /** The usual number of hours in a billing month. */
    static final double USUAL_HOURS = 730;

    /** The default size of a message. */
    public static final int USUAL_BYTES = 1_024;

    static final int USUAL_WORKERS = 8;
    static final Duration USUAL_TIME = Duration.ofMillis(50);
    static final Duration USUAL_LOCK = Duration.ofMinutes(1);

    public Load {
        traffic = List.copyOf(traffic);
    }

    /** A load with defaults: small messages, no failures, a lock of one minute. */
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

    /** The messages of a queue or topic, as a monthly mean. */
    public record Traffic(
            String destination, boolean topic, double perSecond, Sending sending, List<Receiving> receivers) {
        public Traffic {
            receivers = List.copyOf(receivers);
        }
    }

    /** How relays send: bytes of a message with its properties, messages in a batch, repeated sends for each message. */
    public record Sending(double bytes, double batch, double sentAgain) {}

    /** A consumer with its share of the messages; the consumer of a queue is named "consumer". */
    public record Receiving(String name, double share, Handling handling, Failing failing, Sessions sessions) {}

    /** How a consumer works: concurrent messages or sessions of all processes, and the time from delivery to settlement. */
    public record Handling(double workers, Duration time, Duration lock) {
        /** The number of renewals: Waybill renews a lock at half of its time. */
        double renewals() {
            double half = lock.toMillis() / 2.0;
            return half <= 0 ? 0 : Math.floor(time.toMillis() / half);
        }
    }

    /** Failures for each message: redeliveries, and dead letters. */
    public record Failing(double deliveredAgain, double deadLettered) {}

    /** Sessions: messages handled before a release, and calls for the session state for each message. */
    public record Sessions(boolean used, double perAcceptance, double stateCalls) {}
}
