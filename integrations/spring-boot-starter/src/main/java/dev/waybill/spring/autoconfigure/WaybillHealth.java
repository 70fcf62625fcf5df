package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.ConsumerHealth;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayHealth;
import dev.waybill.spring.tenants.TenantRelays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;

/** How relay and consumers are, for either generation of Boot. Asks neither database nor broker. */
final class WaybillHealth {
    private static final String RUNNING = "running";

    private final Collection<RelayLifecycle> relays;
    private final Collection<ConsumersLifecycle> consumers;

    /** @param beans with all relays and consumers, those of named outboxes too */
    WaybillHealth(ListableBeanFactory beans) {
        relays = beans.getBeansOfType(RelayLifecycle.class).values();
        consumers = beans.getBeansOfType(ConsumersLifecycle.class).values();
    }

    /** The state of each of them: {@code running}, or why it is not. */
    Map<String, String> states() {
        var states = new LinkedHashMap<String, String>();
        for (RelayLifecycle relay : relays) {
            relay.relays().forEach(service -> states.put(service.name(), relay(service)));
            relay.tenants().forEach(service -> states.put(service.name(), tenants(service)));
        }
        for (ConsumersLifecycle each : consumers) {
            each.all().forEach(service -> states.put("consumer " + service.name(), consumer(service)));
        }
        return states;
    }

    static boolean isUp(Map<String, String> states) {
        return states.values().stream().allMatch(state -> state.startsWith(RUNNING));
    }

    private static String state(Service<?> service) {
        if (service.running() != null) {
            return RUNNING;
        }
        String trouble = service.trouble();
        return service.isStarted() ? "waiting: " + (trouble == null ? "starts" : trouble) : "stopped";
    }

    /** As the relays of this process last saw them. */
    List<RelayHealth.Destination> destinations() {
        return relays.stream()
                .flatMap(relay -> relay.relays().stream())
                .map(Service::running)
                .flatMap(Stream::ofNullable)
                .flatMap(running -> running.health().destinations().stream())
                .toList();
    }

    private static String relay(Service<Relay> service) {
        Relay running = service.running();
        if (running == null) {
            return state(service);
        }
        RelayHealth health = running.health();
        if (health.isHealthy()) {
            return RUNNING;
        }
        String failing = health.destinations().stream()
                .filter(RelayHealth.Destination::isFailing)
                .map(each -> "'" + each.name() + "' " + each.state() + " for "
                        + each.since().toSeconds() + " s: " + each.detail())
                .collect(Collectors.joining("; "));
        return "publishes nothing: " + (failing.isEmpty() ? "it has no connection, or hangs" : failing);
    }

    // A tenant whose database is away takes this process from no other tenant.
    private static String tenants(Service<TenantRelays> service) {
        TenantRelays running = service.running();
        if (running == null) {
            return state(service);
        }
        String trouble = running.trouble();
        return running.isHealthy() ? RUNNING + (trouble.isEmpty() ? "" : "; " + trouble) : trouble;
    }

    private static String consumer(Service<InboxConsumer> service) {
        InboxConsumer running = service.running();
        if (running == null) {
            return state(service);
        }
        ConsumerHealth health = running.health();
        if (health.isHealthy()) {
            return RUNNING;
        }
        if (health.databaseTrouble() != null) {
            return "waiting: " + health.databaseTrouble();
        }
        if (health.receiveTrouble() != null) {
            return "receives nothing: " + health.receiveTrouble();
        }
        return health.hanging().isEmpty()
                ? "a thread has ended"
                : "hanging: " + health.hanging().size() + " handlers do not heed their interruption";
    }
}
