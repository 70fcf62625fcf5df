package dev.waybill.standalone.console.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Rests grow, end, and do not hit others; and memory stays small. */
class SignInLimitsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final SignInLimits limits = SignInLimits.ofPeople(nanos::get);

    private void fail(int times, String name, String address) {
        for (int i = 0; i < times; i++) {
            limits.failed(name, address);
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void rests_double_and_end() {
        fail(4, "ada", "10.0.0.1");
        assertThat(limits.rest("ada", "10.0.0.1")).isZero();
        fail(1, "ada", "10.0.0.1");
        assertThat(limits.rest("ada", "10.0.0.1")).isEqualTo(Duration.ofSeconds(1));
        fail(1, "ada", "10.0.0.1");
        assertThat(limits.rest("ada", "10.0.0.1")).isEqualTo(Duration.ofSeconds(2));
        pass(Duration.ofSeconds(2));
        assertThat(limits.rest("ada", "10.0.0.1")).isZero();
        fail(30, "ada", "10.0.0.1");
        assertThat(limits.rest("ada", "10.0.0.1")).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void somebody_at_one_address_locks_nobody_out_at_another_one() {
        fail(40, "ada", "10.0.0.66");

        assertThat(limits.rest("ada", "10.0.0.1")).isZero();
        assertThat(limits.rest("ben", "10.0.0.66"))
                .as("the address rests for all names")
                .isPositive();
    }

    @Test
    void many_addresses_slow_a_name_down_and_do_not_lock_it_out() {
        for (int i = 0; i < 200; i++) {
            fail(1, "ada", "10.0." + i + ".1");
        }

        assertThat(limits.rest("ada", "192.0.2.1")).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void failures_are_forgotten_after_a_while_and_by_a_sign_in() {
        fail(4, "ada", "10.0.0.1");
        limits.succeeded("ada", "10.0.0.1");
        fail(4, "ada", "10.0.0.1");
        assertThat(limits.rest("ada", "10.0.0.1")).isZero();

        pass(Duration.ofMinutes(16));
        fail(4, "ada", "10.0.0.1");
        assertThat(limits.rest("ada", "10.0.0.1")).isZero();
    }

    @Test
    void a_flood_of_names_and_addresses_takes_little_memory() {
        for (int i = 0; i < 50_000; i++) {
            limits.failed("name" + i, "address" + i);
        }

        assertThat(limits.remembered()).isEqualTo(10_000);
    }

    @Test
    void somebody_with_a_whole_network_of_addresses_is_counted_as_one() {
        for (int i = 0; i < 25; i++) {
            fail(1, "name" + i, "2001:db8:1:2:0:0:0:" + i);
        }

        assertThat(limits.rest("ada", "2001:db8:1:2:ffff:0:0:1")).isPositive();
        assertThat(limits.rest("ada", "2001:db8:1:3:0:0:0:1")).isZero();
    }
}
