package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayPropertiesTest {
    @Test
    void times_that_no_relay_can_work_with_are_refused_by_the_name_of_their_property() {
        Duration usual = Duration.ofSeconds(30);
        for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(60)}) {
            assertThatThrownBy(() -> properties(wrong, usual)).hasMessageContaining("waybill.relay.lease-duration");
            assertThatThrownBy(() -> properties(usual, wrong)).hasMessageContaining("waybill.relay.send-deadline");
        }
    }

    private static RelayProperties properties(Duration lease, Duration send) {
        return new RelayProperties(true, null, lease, send, Duration.ofMillis(8), Duration.ofMillis(500), 100, true);
    }
}
