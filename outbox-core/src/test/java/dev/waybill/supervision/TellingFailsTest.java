package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lines that cannot be written when they are due, and faults behind faults. */
class TellingFailsTest {
    private final AtomicLong clock = new AtomicLong();
    private final List<String> lines = new ArrayList<>();
    private int fails;

    private Logger logger() {
        Logger logger = new LoggerContext().getLogger("x");
        var appender = new ch.qos.logback.core.UnsynchronizedAppenderBase<ILoggingEvent>() {
            @Override
            public void doAppend(ILoggingEvent event) {
                if (event.getLevel().levelInt < ch.qos.logback.classic.Level.INFO_INT) {
                    return;
                }
                if (fails-- > 0) {
                    throw new OutOfMemoryError("Java heap space");
                }
                lines.add(event.getLevel() + " " + event.getFormattedMessage());
            }

            @Override
            protected void append(ILoggingEvent event) {}
        };
        appender.start();
        logger.addAppender(appender);
        return logger;
    }

    @Test
    void a_line_that_could_not_be_written_is_written_with_the_next_failure() {
        var fault = new Fault(logger(), clock::get);
        fails = 1;
        assertThatThrownBy(() -> fault.failed("The relay waits", "refused")).isInstanceOf(OutOfMemoryError.class);
        for (int i = 0; i < 3_600; i++) {
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            fault.failed("The relay waits", "refused");
        }
        assertThat(lines).isNotEmpty();
    }

    @Test
    void a_reason_after_many_others_is_told_too() {
        var fault = new Fault(logger(), clock::get);
        for (String name :
                "anna berta carla dora emma frida gerda hanna ida julia karla lena maria nora olga paula quirina"
                        .split(" ", -1)) {
            fault.failed("The relay waits", "the session of " + name + " is locked");
        }
        clock.addAndGet(Duration.ofHours(3).toNanos());
        fault.failed("The relay waits", "password authentication failed");
        assertThat(lines).anyMatch(line -> line.contains("password"));
    }
}
