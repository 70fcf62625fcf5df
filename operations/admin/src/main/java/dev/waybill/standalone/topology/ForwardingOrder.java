package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Orders forwarding targets before their sources, because Service Bus rejects a source without its target. */
final class ForwardingOrder {
    private final Map<String, DestinationSettings> all = new LinkedHashMap<>();
    private final Set<String> open = new LinkedHashSet<>();
    private final Set<String> done = new LinkedHashSet<>();
    private final List<DestinationSettings> ordered = new ArrayList<>();
    private final List<String> problems;

    private ForwardingOrder(List<String> problems) {
        this.problems = problems;
    }

    static List<DestinationSettings> of(List<DestinationSettings> entities, List<String> problems) {
        var order = new ForwardingOrder(problems);
        entities.forEach(entity -> order.all.put(Declaration.key(entity), entity));
        entities.forEach(order::place);
        return order.ordered;
    }

    private void place(DestinationSettings entity) {
        String key = Declaration.key(entity);
        if (done.contains(key)) {
            return;
        }
        if (!open.add(key)) {
            problems.add("destination." + entity.name() + " forwards to itself, by way of " + String.join(", ", open));
            return;
        }
        Declaration.targets(entity)
                .map(Declaration::key)
                .forEach(target -> Optional.ofNullable(all.get(target)).ifPresent(this::place));
        open.remove(key);
        if (done.add(key)) {
            ordered.add(entity);
        }
    }
}
