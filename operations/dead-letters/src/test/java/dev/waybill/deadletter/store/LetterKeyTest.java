package dev.waybill.deadletter.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.ReceivedDeadLetter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LetterKeyTest {
    @Test
    void another_body_at_the_same_place_is_stored_as_new() {
        var entity = DeadLetterEntity.queue("orders");
        var origin = new ReceivedDeadLetter.Origin(entity, 1, Instant.EPOCH, "m1", 1, null);

        assertThat(LetterKey.of(origin, new byte[] {1})).isNotEqualTo(LetterKey.of(origin, new byte[] {2}));
        assertThat(LetterKey.of(origin, new byte[] {1})).isEqualTo(LetterKey.of(origin, new byte[] {1}));
    }
}
