package dev.waybill.standalone.topology;

import java.util.List;

/** The entities and rules to delete, and whether entities with messages are deleted too. */
public record Removals(List<String> paths, boolean withMessages) {
    public Removals {
        paths = List.copyOf(paths);
    }

    List<Removal> all() {
        return paths.stream().distinct().map(Removal::new).toList();
    }
}
