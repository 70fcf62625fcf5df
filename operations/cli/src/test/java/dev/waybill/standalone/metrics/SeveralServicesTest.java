package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two services in one Prometheus; each calls its database main, as every page does. */
class SeveralServicesTest {
    @Test
    void a_service_whose_relays_do_not_work_is_not_hidden_by_another_service() {
        List<Sample> scraped = List.of(
                new Sample("waybill_outbox_relay_working", Map.of("job", "shop", "database", "main"), 0),
                new Sample("waybill_outbox_relay_working", Map.of("job", "billing", "database", "main"), 1));
        assertThat(AlertRule.named("WaybillNotWorking").firing(scraped)).isNotEmpty();
    }
}
