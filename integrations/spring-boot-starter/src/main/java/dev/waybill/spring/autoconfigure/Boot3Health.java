package dev.waybill.spring.autoconfigure;

import java.util.Map;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Health for Boot 3. */
final class Boot3Health implements HealthIndicator {
    private final WaybillHealth health;

    Boot3Health(WaybillHealth health) {
        this.health = health;
    }

    @Override
    public Health health() {
        Map<String, String> states = health.states();
        return (WaybillHealth.isUp(states) ? Health.up() : Health.down())
                .withDetails(states)
                .build();
    }
}
