package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RateLimitedLogTest {
    @RegisterExtension
    private final LogLines log = new LogLines(RateLimitedLog.class);

    private final AtomicLong clock = new AtomicLong();
    private final RateLimitedLog tally = new RateLimitedLog(log.logger(), true, Duration.ofMinutes(1), clock::get);

    @Test
    void ten_thousand_holds_in_a_minute_and_a_half_are_three_lines_and_each_is_counted() {
        for (int i = 0; i < 10_000; i++) {
            tally.log(1, "{} messages were put on hold", "; last refused: too large");
            clock.addAndGet(Duration.ofMillis(9).toNanos());
        }
        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        tally.log(0, "{} messages were put on hold", "");

        assertThat(log.told())
                .containsExactly(
                        "WARN 1 messages were put on hold; last refused: too large",
                        "WARN 6667 messages were put on hold; last refused: too large",
                        "WARN 3332 messages were put on hold");
    }

    @Test
    void nothing_is_told_while_nothing_happens() {
        tally.log(0, "{} messages were put on hold", "");

        assertThat(log.told()).isEmpty();
    }
}
