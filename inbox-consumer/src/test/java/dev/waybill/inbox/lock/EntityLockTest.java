package dev.waybill.inbox.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.FakeMessage;
import dev.waybill.inbox.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EntityLockTest {
    /** The broker's clock is wrong by years, as seen from here. */
    private static final Instant BROKER = Instant.parse("1999-12-31T23:59:59Z");

    private final EntityLock lock = new EntityLock("q", Duration.ofMinutes(1));

    @Test
    void a_message_that_has_just_been_enqueued_tells_how_long_locks_last_whatever_the_brokers_clock_says() {
        lock.seen(message(BROKER, BROKER.plusSeconds(5)), Duration.ZERO);

        assertThat(lock.lasts()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_message_that_has_waited_tells_nothing() {
        lock.seen(message(BROKER, BROKER.plus(Duration.ofHours(1))), Duration.ZERO);

        assertThat(lock.lasts()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void of_a_session_that_was_locked_for_a_while_the_age_of_the_lock_is_added() {
        lock.seen(message(BROKER, BROKER.plusSeconds(31)), Duration.ofSeconds(29));

        assertThat(lock.lasts()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void losses_shorten_it_and_not_without_end() {
        lock.lostAfter(Duration.ofSeconds(30));
        assertThat(lock.lasts()).isEqualTo(Duration.ofSeconds(15));

        lock.lostAfter(Duration.ofSeconds(1));
        assertThat(lock.lasts()).isEqualTo(Duration.ofSeconds(5));
    }

    private static InboundMessage message(Instant enqueuedAt, Instant lockedUntil) {
        return FakeMessage.of("m1").locked(enqueuedAt, lockedUntil);
    }
}
