package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.figures.Figures;
import dev.waybill.supervision.RootCause;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/waybill}: what waits, what runs, and which alarms there are. Reads the tables with each request; no bodies, no ids. */
@Endpoint(id = "waybill")
final class WaybillEndpoint {
    private final WaybillHealth health;
    private final @Nullable Figures figures;
    private final NamedOutboxes named;

    /** {@code figures} is null if tenants have a database each. */
    WaybillEndpoint(WaybillHealth health, @Nullable Figures figures, NamedOutboxes named) {
        this.health = health;
        this.figures = figures;
        this.named = named;
    }

    @ReadOperation
    Map<String, Object> waybill() {
        var all = new LinkedHashMap<String, Object>();
        all.put("states", health.states());
        all.put("destinations", health.destinations());
        if (figures != null) {
            all.putAll(tables(figures));
        }
        if (!named.figures().isEmpty()) {
            var outboxes = new LinkedHashMap<String, Object>();
            named.figures().forEach((name, read) -> outboxes.put(name, tables(read)));
            all.put("outboxes", outboxes);
        }
        return all;
    }

    private static Map<String, Object> tables(Figures figures) {
        try {
            return Map.of("waiting", figures.read(), "alarms", figures.alarms());
        } catch (RuntimeException e) {
            return Map.of("database", RootCause.of(e));
        }
    }
}
