package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.figures.Figures;
import dev.waybill.supervision.RootCause;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/waybill}: what waits, what runs, and which alarms there are. Reads the tables with each request; no bodies, no ids. */
@Endpoint(id = "waybill")
final class WaybillEndpoint {
    private final WaybillProperties properties;
    private final WaybillHealth health;
    private final Figures figures;

    WaybillEndpoint(WaybillProperties properties, WaybillHealth health, Figures figures) {
        this.properties = properties;
        this.health = health;
        this.figures = figures;
    }

    @ReadOperation
    Map<String, Object> waybill() {
        var all = new LinkedHashMap<String, Object>();
        all.put("schema", properties.schema());
        all.put("states", health.states());
        all.put("destinations", health.destinations());
        try {
            all.put("waiting", figures.read());
            all.put("alarms", figures.alarms());
        } catch (RuntimeException e) {
            all.put("database", RootCause.of(e));
        }
        return all;
    }
}
