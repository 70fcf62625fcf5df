package dev.waybill.standalone.cost;

import dev.waybill.standalone.cost.Load.Failing;
import dev.waybill.standalone.cost.Load.Handling;
import dev.waybill.standalone.cost.Load.Receiving;
import dev.waybill.standalone.cost.Load.Sending;
import dev.waybill.standalone.cost.Load.Sessions;
import dev.waybill.standalone.cost.Load.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Reads a load from a file and completes it with measured rates. Not thread-safe. */
public final class LoadFile {
    private static final String RATE = "messages-per-second";
    private static final String MONTHLY = "messages-per-month";
    private static final double MANY = 1e12;

    private final YamlSection file;
    private final Map<String, Counters.Rate> counted;
    private final double hours;

    private LoadFile(YamlSection file, Map<String, Counters.Rate> counted) {
        this.file = file;
        this.counted = counted;
        hours = file.number("hours-per-month", 1, 8_784).orElse(Load.USUAL_HOURS);
    }

    /**
     * Reads a load.
     *
     * @param counted measured rates, for destinations without a rate in the file
     * @throws dev.waybill.standalone.config.ConfigException naming every problem with its line
     */
    public static Load read(Path path, Map<String, Counters.Rate> counted) {
        return new LoadFile(YamlSection.read(path), counted).load();
    }

    private Load load() {
        double units = file.number("messaging-units", 1, 64).orElse(1);
        if (units != Math.rint(units)) {
            file.problem("messaging-units", "'messaging-units' is " + units + ", not a whole number");
        }
        var traffic = new ArrayList<Traffic>();
        file.named("destination").forEach((name, section) -> traffic.add(traffic(name, section)));
        if (traffic.isEmpty()) {
            file.problem("destination", "no destination is declared: give destination.NAME." + RATE);
        }
        file.refuse();
        return new Load(hours, (int) units, traffic);
    }

    private Traffic traffic(String name, YamlSection section) {
        boolean sessions = section.flag("sessions", false);
        boolean topic = section.has("subscription");
        var sending = new Sending(
                section.number("bytes", 1, 100e6).orElse(Load.USUAL_BYTES),
                section.number("batch", 1, 4_500).orElse(1),
                section.number("sent-again", 0, 1_000).orElse(again(name)));
        double rate = rate(name, section);
        List<Receiving> receivers = topic ? subscriptions(section, sessions) : queue(section, sessions);
        section.end();
        return new Traffic(name, topic, rate, sending, receivers);
    }

    private double again(String name) {
        Counters.Rate rate = counted.get(name);
        return rate == null ? 0 : rate.sentAgain();
    }

    private double rate(String name, YamlSection section) {
        OptionalDouble second = section.number(RATE, 0, MANY);
        OptionalDouble month = section.number(MONTHLY, 0, MANY);
        if (second.isPresent() && month.isPresent()) {
            section.problem(MONTHLY, section.path() + " has both " + RATE + " and " + MONTHLY + ": give one of them");
        }
        if (second.isPresent() || month.isPresent()) {
            return second.orElse(month.orElse(0) / hours / 3_600);
        }
        Counters.Rate rate = counted.get(name);
        if (rate == null && !section.has(RATE) && !section.has(MONTHLY)) {
            section.problem(
                    "",
                    section.path() + " needs " + RATE + " or " + MONTHLY
                            + ", or --metrics of a relay that sends there");
        }
        return rate == null ? 0 : rate.perSecond();
    }

    private List<Receiving> queue(YamlSection section, boolean sessions) {
        return List.of(receiving("consumer", section.below("consumer"), sessions));
    }

    private List<Receiving> subscriptions(YamlSection section, boolean sessions) {
        var receivers = new ArrayList<Receiving>();
        section.named("subscription").forEach((name, below) -> receivers.add(receiving(name, below, sessions)));
        return receivers;
    }

    private static Receiving receiving(String name, YamlSection section, boolean sessions) {
        var handling = new Handling(
                section.number("workers", 0, 100_000).orElse(Load.USUAL_WORKERS),
                section.time("handler-time", Load.USUAL_TIME),
                section.time("lock-duration", Load.USUAL_LOCK));
        var failing = new Failing(
                section.number("delivered-again", 0, 1_000).orElse(0),
                section.number("dead-lettered", 0, 1).orElse(0));
        var used = new Sessions(
                section.flag("sessions", sessions),
                section.number("messages-per-acceptance", 1, 1e9).orElse(1),
                section.number("session-state-calls", 0, 1_000).orElse(0));
        double share = section.number("share", 0, 1).orElse(1);
        section.end();
        return new Receiving(name, share, handling, failing, used);
    }
}
