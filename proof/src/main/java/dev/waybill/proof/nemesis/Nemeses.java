package dev.waybill.proof.nemesis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All that there are. */
public final class Nemeses {
    private Nemeses() {}

    public static List<Nemesis> all() {
        var all = new ArrayList<Nemesis>();
        all.addAll(OnProcesses.NEMESES);
        all.addAll(OnLinks.NEMESES);
        all.addAll(OnTheDatabase.NEMESES);
        all.addAll(OnTheBroker.NEMESES);
        return List.copyOf(all);
    }

    /**
     * Those of these names.
     *
     * @throws IllegalArgumentException if one is unknown
     */
    public static List<Nemesis> named(List<String> names) {
        if (names.equals(List.of("all"))) {
            return all();
        }
        if (names.equals(List.of("none"))) {
            return List.of();
        }
        return names.stream().map(Nemeses::named).toList();
    }

    private static Nemesis named(String name) {
        return all().stream()
                .filter(nemesis -> nemesis.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no nemesis " + name + "; there are "
                        + all().stream().map(Nemesis::name).collect(Collectors.joining(", "))));
    }
}
