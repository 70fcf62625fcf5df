package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An outage that only some of the loops have met, and the lines about it. */
class OutageSeamsTest {
    @RegisterExtension
    private final LogLines log = new LogLines(Outage.class);

    private final AtomicLong clock = new AtomicLong();
    private final Outage outage = new Outage("relay 'one'", clock::get);
    private final Fault sender = new Fault(log.logger(), clock::get);
    private final Fault listener = new Fault(log.logger(), clock::get);

    @BeforeEach
    void share() {
        sender.share(outage, true);
        listener.share(outage, false);
        outage.at("db:5432/shop");
    }

    private void pass(int millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void a_lost_connection_of_the_listener_alone_is_no_outage() {
        listener.failed(
                "Notifications cannot be received",
                new SQLException("FATAL: terminating connection due to administrator command", "57P01"));
        for (int i = 0; i < 100; i++) {
            pass(50);
            sender.recovered("goes on");
        }
        listener.recovered("Notifications are received again");
        assertThat(log.told()).noneMatch(line -> line.contains("cannot be used"));
    }

    @Test
    void a_broker_that_fails_while_only_the_listener_has_no_connection_is_told_as_what_it_is() {
        listener.failed(
                "Notifications cannot be received", new SQLException("FATAL: too many connections for role", "53300"));
        for (int i = 0; i < 100; i++) {
            pass(50);
            sender.recovered("goes on");
        }
        sender.failed(
                "A step of 'orders' failed",
                new SQLException("ERROR: permission denied for table outbox_lane", "42501"));
        pass(10_000);
        sender.failed("A step of 'orders' failed", new IOException("the broker hung up"));
        assertThat(log.told()).anyMatch(line -> line.contains("'orders'"));
    }
}
