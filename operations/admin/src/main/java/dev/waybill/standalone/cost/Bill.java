package dev.waybill.standalone.cost;

import dev.waybill.standalone.cost.Load.Receiving;
import dev.waybill.standalone.cost.Load.Traffic;
import java.util.ArrayList;
import java.util.List;

/** The operations of a load in a month, line by line. */
public record Bill(Load load, List<Line> lines) {
    /** A message counts as an operation for each of these that it begins. */
    private static final double BILLED_BYTES = 64 * 1_024;

    /** A consumer that waits for a session asks anew after so long: its time-out for the broker's answers. */
    private static final double ASKS_AGAIN_SECONDS = 20;

    /** Copies. */
    public Bill {
        lines = List.copyOf(lines);
    }

    /** Counts. */
    public static Bill of(Load load) {
        var lines = new ArrayList<Line>();
        for (Traffic traffic : load.traffic()) {
            double month = traffic.perSecond() * load.seconds();
            double size = sizes(traffic);
            lines.add(new Line(
                    traffic.destination(),
                    "",
                    Kind.SEND,
                    month * size * (1 + traffic.sending().sentAgain())));
            traffic.receivers().forEach(receiver -> receive(load, traffic, receiver, lines));
        }
        return new Bill(
                load, lines.stream().filter(line -> line.operations() > 0).toList());
    }

    private static void receive(Load load, Traffic traffic, Receiving receiver, List<Line> lines) {
        double perSecond = traffic.perSecond() * receiver.share();
        double month = perSecond * load.seconds();
        double deliveries = month * (1 + receiver.failing().deliveredAgain());
        double dead = month * receiver.failing().deadLettered();
        add(lines, traffic, receiver, Kind.DELIVER, deliveries * sizes(traffic));
        add(lines, traffic, receiver, Kind.SETTLE, deliveries);
        add(
                lines,
                traffic,
                receiver,
                Kind.RENEW,
                deliveries * receiver.handling().renewals());
        add(lines, traffic, receiver, Kind.COLLECT, dead * (sizes(traffic) + 1));
        if (receiver.sessions().used()) {
            double busy = perSecond * receiver.handling().time().toMillis() / 1_000.0;
            double waiting = Math.max(0, receiver.handling().workers() - busy);
            add(
                    lines,
                    traffic,
                    receiver,
                    Kind.ACCEPT,
                    month / receiver.sessions().perAcceptance());
            add(
                    lines,
                    traffic,
                    receiver,
                    Kind.STATE,
                    month * receiver.sessions().stateCalls());
            add(lines, traffic, receiver, Kind.WAIT, waiting * load.seconds() / ASKS_AGAIN_SECONDS);
        }
    }

    private static void add(List<Line> lines, Traffic traffic, Receiving receiver, Kind kind, double operations) {
        lines.add(new Line(traffic.destination(), receiver.name(), kind, operations));
    }

    private static double sizes(Traffic traffic) {
        return Math.max(1, Math.ceil(traffic.sending().bytes() / BILLED_BYTES));
    }

    /** Messages that are appended in a month. */
    public double messages() {
        return load.traffic().stream().mapToDouble(Traffic::perSecond).sum() * load.seconds();
    }

    /** Operations in a month. */
    public double operations() {
        return lines.stream().mapToDouble(Line::operations).sum();
    }

    /** Operations for each message, without those of consumers that wait. */
    public double perMessage() {
        double moving = lines.stream()
                .filter(line -> line.kind() != Kind.WAIT)
                .mapToDouble(Line::operations)
                .sum();
        return messages() == 0 ? 0 : moving / messages();
    }

    /** Sends in a month, each of a batch: round trips, which nobody bills. */
    public double roundTrips() {
        return load.traffic().stream()
                .mapToDouble(traffic -> traffic.perSecond()
                        * load.seconds()
                        * (1 + traffic.sending().sentAgain())
                        / traffic.sending().batch())
                .sum();
    }

    /**
     * Credits a second on Standard, in the mean: one for a message sent or received, and one for each filter of a
     * topic.
     */
    double credits() {
        return load.traffic().stream()
                .mapToDouble(traffic -> traffic.perSecond()
                        * (1
                                + traffic.sending().sentAgain()
                                + (traffic.topic() ? traffic.receivers().size() : 0)
                                + traffic.receivers().stream()
                                        .mapToDouble(each -> each.share()
                                                * (1 + each.failing().deliveredAgain()))
                                        .sum()))
                .sum();
    }

    /** The operations of one kind. */
    public record Line(String destination, String receiver, Kind kind, double operations) {}

    /** The kinds of operations. */
    public enum Kind {
        /** A message to the broker. */
        SEND("send", true),
        /** A message to a consumer. */
        DELIVER("deliver", true),
        /** Completed, abandoned, deferred or dead-lettered. */
        SETTLE("settle", true),
        /** A lock prolonged. */
        RENEW("renew lock", true),
        /** A dead letter delivered to the collector and completed. */
        COLLECT("collect dead letters", true),
        /** A session accepted. */
        ACCEPT("accept session", false),
        /** A session's state on the broker read or written. */
        STATE("session state", false),
        /** Asked for a session when there is none. */
        WAIT("wait for sessions", false);

        private final String text;
        private final boolean documented;

        Kind(String text, boolean documented) {
            this.text = text;
            this.documented = documented;
        }

        /** For people. */
        public String text() {
            return text;
        }

        /** Whether the pricing page names it; what it does not name follows from "any API interaction". */
        public boolean documented() {
            return documented;
        }
    }
}
