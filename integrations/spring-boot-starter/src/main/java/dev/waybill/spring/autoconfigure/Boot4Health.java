package dev.waybill.spring.autoconfigure;

import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health for Boot 4. */
final class Boot4Health implements HealthIndicator {
    private final WaybillHealth health;

    Boot4Health(WaybillHealth health) {
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
