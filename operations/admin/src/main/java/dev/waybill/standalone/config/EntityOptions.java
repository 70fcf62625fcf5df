package dev.waybill.standalone.config;

import static dev.waybill.standalone.config.Kind.BYTES;
import static dev.waybill.standalone.config.Kind.DURATION;
import static dev.waybill.standalone.config.Kind.INTEGER;
import static dev.waybill.standalone.config.Kind.SWITCH;
import static dev.waybill.standalone.config.Kind.TEXT;
import static dev.waybill.standalone.config.Option.choice;

import java.util.List;
import java.util.stream.Stream;

final class EntityOptions {
    private static final List<Option> DESTINATIONS = List.of(
            choice("destination.*.type", List.of("queue", "topic"), "The kind of entity."),
            new Option(
                    "destination.*.entity",
                    TEXT,
                    "path",
                    "",
                    "The entity's path, if it is not the destination's name."),
            new Option(
                    "destination.*.namespace", TEXT, "name", "", "Its namespace; that of the database unless given."),
            choice(
                    "destination.*.on-refused",
                    List.of("hold-session", "hold-message"),
                    "What waits for an operator when the broker refuses a message: its session, or the message alone."),
            choice(
                    "destination.*.batches",
                    List.of("mixed", "per-session"),
                    "Which messages share a batch; per-session is needed for partitioned entities."),
            new Option(
                    "destination.*.retain",
                    DURATION,
                    "time",
                    "0s",
                    "How long published messages stay for replays and trace; 0s for not at all, at most 14d. Needs the"
                            + " feature retention."),
            new Option("destination.*.partitioned", SWITCH, "", "false", "Fixed at creation."),
            new Option(
                    "destination.*.sessions",
                    SWITCH,
                    "",
                    "false",
                    "Whether a queue requires sessions, or messages of a topic have some. Fixed at creation."),
            new Option(
                    "destination.*.duplicate-window",
                    DURATION,
                    "time",
                    "10m",
                    "How long repeats are dropped; 0 for not" + " at all. That it is on or off is fixed at creation."),
            new Option(
                    "destination.*.max-message-size", BYTES, "bytes", "0", "The largest message; 0 for the tier's."));

    private static final List<Option> SUBSCRIPTIONS = List.of(
            new Option(
                    "destination.*.subscription.*.sessions",
                    SWITCH,
                    "",
                    "false",
                    "Whether it requires sessions. Fixed at creation."),
            new Option(
                    "destination.*.subscription.*.rule.*",
                    TEXT,
                    "SQL filter",
                    "",
                    "Its messages:"
                            + " a SQL filter over properties, such as amount > 100. With one rule, $Default must"
                            + " be gone."));

    private EntityOptions() {}

    static Stream<Option> all() {
        return Stream.of(
                        DESTINATIONS.stream(),
                        receiving("destination.*", "A queue's: "),
                        receiving("destination.*.subscription.*", ""),
                        SUBSCRIPTIONS.stream())
                .flatMap(options -> options);
    }

    private static Stream<Option> receiving(String of, String prefix) {
        return Stream.of(
                new Option(
                        of + ".lock-duration",
                        DURATION,
                        "time",
                        "1m",
                        prefix + "how long a receiver has a message to itself; at most 5m."),
                new Option(
                        of + ".max-delivery-count",
                        INTEGER,
                        "deliveries",
                        "10",
                        prefix + "after how many failed deliveries a message becomes a dead letter."),
                new Option(of + ".time-to-live", DURATION, "time", "14d", prefix + "how long a message may wait."),
                new Option(
                        of + ".dead-letter-on-expiry",
                        SWITCH,
                        "",
                        "true",
                        prefix + "whether a message that has waited too long becomes a dead letter, or is gone."),
                new Option(of + ".forward-to", TEXT, "entity", "", prefix + "where the broker passes messages on to."),
                new Option(
                        of + ".forward-dead-letters-to",
                        TEXT,
                        "entity",
                        "",
                        prefix + "where the broker passes dead letters on to."));
    }
}
