package dev.waybill.standalone.topology;

import java.util.List;

/**
 * The entities and rules that somebody wants deleted.
 *
 * @param paths queues, topics, {@code topic/Subscriptions/name} or {@code topic/Subscriptions/name/Rules/name}
 * @param withMessages whether entities that hold messages go too, and the messages with them
 */
public record Removals(List<String> paths, boolean withMessages) {
    /** Copies the list. */
    public Removals {
        paths = List.copyOf(paths);
    }

    List<Removal> all() {
        return paths.stream().distinct().map(Removal::new).toList();
    }
}
