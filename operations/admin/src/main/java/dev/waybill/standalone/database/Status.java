package dev.waybill.standalone.database;

import java.util.List;

public record Status(
        String database,
        List<RelayView> relays,
        List<DestinationView> destinations,
        long scheduled,
        List<Alarm> alarms) {
    public Status {
        relays = List.copyOf(relays);
        destinations = List.copyOf(destinations);
        alarms = List.copyOf(alarms);
    }

    public long liveRelays() {
        return relays.stream().filter(RelayView::alive).count();
    }

    /** Whether an owner publishes; if not, no message leaves the outbox. */
    public boolean isWorking() {
        return alarms.stream()
                .noneMatch(
                        alarm -> alarm.name().equals("no-relay") || alarm.name().equals("unowned"));
    }
}
