package dev.waybill.standalone.database;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reduces alarms to their causes: drops alarms that follow from another one, and merges equal ones. */
public final class AlarmCauses {
    /** Alarms that explain why messages wait. */
    private static final Set<String> OF_WAITING =
            Set.of("refused", "unavailable", "throttled", "database", "hanging", "unowned");

    /** Causes that several destinations share. */
    private static final Set<String> SHARED = Set.of("unavailable", "throttled", "database");

    private AlarmCauses() {}

    /** One alarm for each cause, in their original order. */
    public static List<Alarm> of(List<Alarm> alarms) {
        boolean everything = alarms.stream().anyMatch(alarm -> alarm.name().equals("no-relay"));
        Set<String> explained = alarms.stream()
                .filter(alarm -> OF_WAITING.contains(alarm.name()))
                .flatMap(alarm -> alarm.destination().stream())
                .collect(Collectors.toSet());
        Map<String, List<Alarm>> causes = new LinkedHashMap<>();
        for (Alarm alarm : alarms) {
            boolean follows = alarm.name().equals("stalled")
                    && (everything
                            || alarm.destination().filter(explained::contains).isPresent());
            if (!follows) {
                causes.computeIfAbsent(key(alarm), name -> new ArrayList<>()).add(alarm);
            }
        }
        return causes.values().stream().map(AlarmCauses::one).toList();
    }

    private static String key(Alarm alarm) {
        return SHARED.contains(alarm.name()) || alarm.destination().isEmpty()
                ? alarm.name()
                : alarm.name() + " " + alarm.destination().get() + " "
                        + (alarm.name().equals("parked") ? alarm.detail() : "");
    }

    private static Alarm one(Collection<Alarm> same) {
        Alarm first = same.iterator().next();
        Set<String> destinations = same.stream()
                .flatMap(alarm -> alarm.destination().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        String more = same.size() == 1 ? "" : " (and " + (same.size() - 1) + " like it)";
        return new Alarm(
                first.name(),
                first.severity(),
                destinations.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", destinations)),
                first.detail() + more);
    }
}
