package dev.waybill.standalone.cost;

import dev.waybill.standalone.cost.Load.Receiving;
import dev.waybill.standalone.cost.Load.Traffic;
import java.util.ArrayList;
import java.util.List;

/** The billed operations of a load in a month, by line. */
public record Bill(Load load, List<Line> lines) {
    /** Service Bus bills one operation for each started block of this size. */
    private static final double BILLED_BYTES = 64 * 1_024;

    /** The broker's time-out for a consumer that waits for a session. */
    private static final double ASKS_AGAIN_SECONDS = 20;

    public Bill {
        lines = List.copyOf(lines);
    }

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

    public double messages() {
        return load.traffic().stream().mapToDouble(Traffic::perSecond).sum() * load.seconds();
    }

    public double operations() {
        return lines.stream().mapToDouble(Line::operations).sum();
    }

    /** Operations for each message, without the polling of idle consumers. */
    public double perMessage() {
        double moving = lines.stream()
                .filter(line -> line.kind() != Kind.WAIT)
                .mapToDouble(Line::operations)
                .sum();
        return messages() == 0 ? 0 : moving / messages();
    }

    /** Send calls in a month; Service Bus does not bill them. */
    public double roundTrips() {
        return load.traffic().stream()
                .mapToDouble(traffic -> traffic.perSecond()
                        * load.seconds()
                        * (1 + traffic.sending().sentAgain())
                        / traffic.sending().batch())
                .sum();
    }

    /** The mean credits a second on Standard: one for a message sent or received, and one for each filter. */
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

    public record Line(String destination, String receiver, Kind kind, double operations) {}

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
        /** An idle consumer requests a session. */
        WAIT("wait for sessions", false);

        private final String text;
        private final boolean documented;

        Kind(String text, boolean documented) {
            this.text = text;
            this.documented = documented;
        }

        public String text() {
            return text;
        }

        /** Whether the pricing page names this operation; otherwise it counts as "any API interaction". */
        public boolean documented() {
            return documented;
        }
    }
}
