package dev.waybill.standalone.database;

import java.util.List;

/** An outbox at a moment. */
public record Status(
        String database,
        List<RelayView> relays,
        List<DestinationView> destinations,
        long scheduled,
        List<Alarm> alarms) {
    /** Copies the lists. */
    public Status {
        relays = List.copyOf(relays);
        destinations = List.copyOf(destinations);
        alarms = List.copyOf(alarms);
    }

    /** Relays that are alive. */
    public long liveRelays() {
        return relays.stream().filter(RelayView::alive).count();
    }

    /** Whether somebody publishes: false means that nothing leaves this outbox. */
    public boolean isWorking() {
        return alarms.stream()
                .noneMatch(
                        alarm -> alarm.name().equals("no-relay") || alarm.name().equals("unowned"));
    }
}
