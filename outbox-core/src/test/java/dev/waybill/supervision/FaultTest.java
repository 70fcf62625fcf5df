package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FaultTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Fault.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicLong clock = new AtomicLong();
    private final Fault fault = new Fault(logger, clock::get);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
    }

    @Test
    void a_fault_that_lasts_is_told_once_and_its_end_with_its_length() {
        for (int i = 0; i < 50; i++) {
            fault.met("The relay waits", "refused");
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
        }
        fault.over("The relay goes on");
        fault.over("The relay goes on");

        assertThat(told())
                .containsExactly(
                        "WARN The relay waits: refused",
                        "INFO The relay goes on after 50.0 s; it failed 50 times, last: refused");
    }

    @Test
    void another_reason_is_told_too() {
        fault.met("The relay waits", "refused");
        fault.met("The relay waits", "too many clients");
        fault.met("The relay waits", "too many clients");

        assertThat(told()).containsExactly("WARN The relay waits: refused", "WARN The relay waits: too many clients");
    }

    @Test
    void a_second_fault_has_a_length_of_its_own() {
        fault.met("The relay waits", "refused");
        clock.addAndGet(Duration.ofHours(1).toNanos());
        fault.over("The relay goes on");
        fault.met("The relay waits", "refused");
        clock.addAndGet(Duration.ofMillis(1_500).toNanos());
        fault.over("The relay goes on");

        assertThat(told()).last().asString().contains("after 1.5 s; it failed 1 times");
    }

    private List<String> told() {
        return log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
