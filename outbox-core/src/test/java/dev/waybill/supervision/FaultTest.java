package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FaultTest {
    @RegisterExtension
    private final LogLines log = new LogLines(Fault.class);

    private final AtomicLong clock = new AtomicLong();
    private final Fault fault = new Fault(log.logger(), clock::get);

    @Test
    void a_fault_that_lasts_is_told_once_and_its_end_with_its_length() {
        for (int i = 0; i < 50; i++) {
            fault.failed("The relay waits", "refused");
            pass(Duration.ofSeconds(1));
        }
        fault.recovered("The relay goes on");
        fault.recovered("The relay goes on");

        assertThat(log.told())
                .containsExactly(
                        "WARN The relay waits: refused",
                        "INFO The relay goes on after 50.0 s; it failed 50 times, last: refused");
    }

    @Test
    void another_reason_is_told_too_and_one_with_another_number_is_the_same() {
        fault.failed("The relay waits", "refused");
        fault.failed("The relay waits", "too many clients, 100 of 100");
        fault.failed("The relay waits", "too many clients, 101 of 101");
        fault.failed("The relay waits", "refused");

        assertThat(log.told())
                .containsExactly("WARN The relay waits: refused", "WARN The relay waits: too many clients, 100 of 100");
    }

    @Test
    void a_second_fault_has_a_length_of_its_own() {
        fault.failed("The relay waits", "refused");
        pass(Duration.ofHours(1));
        fault.recovered("The relay goes on");
        pass(Duration.ofMinutes(1));
        fault.failed("The relay waits", "refused");
        pass(Duration.ofMillis(1_500));
        fault.recovered("The relay goes on");

        assertThat(log.told()).hasSize(4).last().asString().contains("after 1.5 s; it failed 1 times");
    }

    @Test
    void a_fault_that_comes_and_goes_for_an_hour_fills_no_disk_and_is_not_hidden() {
        for (int second = 0; second < 3_600; second += 5) {
            fault.failed("The relay waits", "refused");
            pass(Duration.ofMillis(100));
            fault.recovered("The relay goes on");
            pass(Duration.ofMillis(4_900));
        }

        assertThat(log.told()).hasSizeBetween(12, 30);
    }

    @Test
    void a_fault_that_comes_back_soon_and_lasts_is_told_again() {
        fault.failed("The relay waits", "refused");
        fault.recovered("The relay goes on");
        for (int second = 0; second < 20; second++) {
            pass(Duration.ofSeconds(1));
            fault.failed("The relay waits", "refused");
        }
        fault.recovered("The relay goes on");

        assertThat(log.told())
                .hasSize(4)
                .element(3)
                .asString()
                .startsWith("INFO The relay goes on after 19.0 s; it failed 20 times");
    }

    @Test
    void a_fault_that_flaps_tells_at_its_end_how_long_it_was_in_all_and_how_often_it_came() {
        for (int second = 0; second <= 300; second += 5) {
            fault.failed("The relay waits", "refused");
            pass(Duration.ofMillis(100));
            fault.recovered("The relay goes on");
            pass(Duration.ofMillis(4_900));
        }

        assertThat(log.told())
                .containsExactly(
                        "WARN The relay waits: refused",
                        "INFO The relay goes on after 0.1 s; it failed 1 times, last: refused",
                        "WARN The relay waits: refused",
                        "INFO The relay goes on after 6.0 s; it failed 60 times, last: refused (it came 60 times within 295.1 s)");
    }

    @Test
    void another_cause_in_a_fault_that_has_come_back_does_not_shorten_it() {
        fault.failed("The relay waits", "refused");
        fault.recovered("The relay goes on");
        pass(Duration.ofSeconds(5));
        fault.failed("The relay waits", "refused");
        pass(Duration.ofSeconds(8));
        fault.failed("The relay waits", "no such host");
        pass(Duration.ofSeconds(1));
        fault.recovered("The relay goes on");

        assertThat(log.told())
                .hasSize(4)
                .last()
                .isEqualTo("INFO The relay goes on after 9.0 s; it failed 2 times, last: no such host");
    }

    @Test
    void a_fault_whose_successes_and_failures_alternate_ends_when_nothing_has_failed_for_a_while() {
        Fault alternating = Fault.intermittent(Duration.ofSeconds(3), log.logger(), clock::get);
        for (int i = 0; i < 100; i++) {
            alternating.failed("Not all are sent", "busy");
            alternating.recovered("All are sent");
            pass(Duration.ofMillis(100));
        }
        alternating.recovered("All are sent");
        pass(Duration.ofSeconds(3));
        alternating.recovered("All are sent");

        assertThat(log.told())
                .containsExactly(
                        "WARN Not all are sent: busy",
                        "INFO All are sent after 9.9 s; it failed 100 times, last: busy");
    }

    @Test
    void what_is_outside_has_no_stack_trace_and_what_is_our_fault_has_one_for_each_cause() {
        fault.failed("It waits", new SQLException("FATAL: no", "57P01"));
        fault.failed("It waits", new IllegalStateException("broker", new ConnectException("refused")));
        for (int i = 0; i < 3; i++) {
            fault.failed("It waits", new IllegalStateException("a defect at 0x12345678"));
            fault.failed("It waits", new NullPointerException());
            pass(Duration.ofMinutes(1));
            fault.recovered("It goes on");
            pass(Duration.ofMinutes(1));
        }

        assertThat(log.told())
                .filteredOn(line -> line.startsWith("WARN"))
                .containsExactly(
                        "WARN It waits: FATAL: no",
                        "WARN It waits: broker: refused",
                        "WARN It waits: a defect at 0x12345678 + trace",
                        "WARN It waits: NullPointerException + trace",
                        "WARN It waits: a defect at 0x12345678",
                        "WARN It waits: NullPointerException",
                        "WARN It waits: a defect at 0x12345678",
                        "WARN It waits: NullPointerException");
    }

    @Test
    void an_error_of_the_jvm_is_told_at_error_with_its_trace() {
        fault.failed("It waits", new OutOfMemoryError("Java heap space"));

        assertThat(log.told()).containsExactly("ERROR It waits: OutOfMemoryError: Java heap space + trace");
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
