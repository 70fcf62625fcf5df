package dev.waybill.deadletter.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.Arrival;
import dev.waybill.deadletter.DeadLetterEntity;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArrivalKeyTest {
    @Test
    void another_body_at_the_same_place_is_stored_as_new() {
        var entity = DeadLetterEntity.queue("orders");
        var origin = new Arrival.Origin(entity, 1, Instant.EPOCH, "m1", 1, null);

        assertThat(ArrivalKey.of(origin, new byte[] {1})).isNotEqualTo(ArrivalKey.of(origin, new byte[] {2}));
        assertThat(ArrivalKey.of(origin, new byte[] {1})).isEqualTo(ArrivalKey.of(origin, new byte[] {1}));
    }
}
