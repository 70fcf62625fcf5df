package dev.waybill.proof.role;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The broker in a process of its own. It obeys a line at a time, and answers each with a line. */
public final class BrokerRole {
    /** How a line begins that is for the harness; others are of libraries. */
    public static final String ANSWER = "> ";

    static final int MAX_DELIVERIES = 30;

    private static final Duration DUPLICATE_WINDOW = Duration.ofMinutes(10);
    private static final List<String> SUBSCRIPTIONS = List.of("ledger", "audit", "notify");
    private static final int RECORDS = 1_000;
    private static final double CHANCE = 0.2;

    private final EmbeddedServiceBus bus;
    private final Set<String> active = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    private BrokerRole(EmbeddedServiceBus bus) {
        this.bus = bus;
        refuseSome();
        for (BrokerFault fault : BrokerFault.values()) {
            fault.ways()
                    .forEach(way -> bus.faults()
                            .at(way.point())
                            .when(event -> active.contains(fault.name()))
                            .probability(CHANCE)
                            .then(way.action()));
        }
    }

    static void play(InputStream in, PrintStream out) throws IOException {
        try (var bus = start()) {
            var role = new BrokerRole(bus);
            out.println(ANSWER + bus.connectionString());
            var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.println(ANSWER + role.obey(line.split(" ")));
            }
        }
        System.exit(0);
    }

    private static EmbeddedServiceBus start() {
        return EmbeddedServiceBus.builder()
                .topic(
                        Terms.DESTINATION,
                        topic -> topic.duplicateDetection(DUPLICATE_WINDOW)
                                .subscription("ledger", BrokerRole::withSessions)
                                .subscription("audit", BrokerRole::withSessions)
                                .subscription(
                                        "notify",
                                        options -> withSessions(options).sqlRule("notified", Notified.RULE))
                                .subscription("witness", options -> options.timeToLive(Duration.ofMinutes(20))))
                .journalLimit(RECORDS)
                .start();
    }

    private static SubscriptionOptions withSessions(SubscriptionOptions options) {
        return options.requiresSession().lockDuration(Terms.LOCK).maxDeliveryCount(MAX_DELIVERIES);
    }

    // What the broker refuses alone has to be held, seen and released; twice, so that it has to be held again.
    private void refuseSome() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .when(event -> event.messageIds().stream()
                        .anyMatch(id -> isRefused(id, event.messageIds().size() == 1)))
                .then(FaultAction.reject(BrokerError.NOT_ALLOWED));
    }

    private boolean isRefused(String id, boolean alone) {
        return Transfer.lot(id, "refused") % 4_000 == 0
                && refusals.merge(id, alone ? 1 : 0, Integer::sum) <= (alone ? 2 : 1);
    }

    // For whoever reads the log of a run that has stopped moving.
    private void report() {
        for (String name : SUBSCRIPTIONS) {
            System.err.println(bus.inspect(Terms.DESTINATION + "/Subscriptions/" + name));
        }
    }

    private String obey(String[] words) {
        switch (words[0]) {
            case "fault" -> active.add(words[1]);
            case "calm" -> active.remove(words[1]);
            case "drop" -> bus.dropConnections();
            case "suspend" -> bus.suspend();
            case "resume" -> bus.resume();
            case "expire" ->
                SUBSCRIPTIONS.forEach(name -> bus.expireLocks(Terms.DESTINATION + "/Subscriptions/" + name));
            case "report" -> report();
            default -> throw new IllegalArgumentException(words[0]);
        }
        return "done";
    }
}
