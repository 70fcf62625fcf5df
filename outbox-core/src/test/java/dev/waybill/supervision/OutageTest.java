package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutageTest {
    private final SQLException ended = new SQLException("FATAL: terminating connection", "57P01");

    @RegisterExtension
    private final LogLines log = new LogLines(Outage.class);

    @RegisterExtension
    private final LogLines loops = new LogLines(Fault.class);

    private final AtomicLong clock = new AtomicLong();
    private final Outage outage = new Outage("relay 'one'", clock::get);
    private final Fault orders = new Fault(loops.logger(), clock::get);
    private final Fault heartbeat = new Fault(loops.logger(), clock::get);
    private final Fault housekeeping = new Fault(loops.logger(), clock::get);

    @BeforeEach
    void share() {
        outage.at("db.internal:5432/shop");
        orders.share(outage, true);
        heartbeat.share(outage, true);
        housekeeping.share(outage, false);
    }

    @Test
    void many_loops_without_a_database_are_one_line_and_its_end_another() {
        for (int i = 0; i < 10; i++) {
            orders.failed("'orders' waits", ended);
            heartbeat.failed("No heartbeat", new IllegalStateException("jOOQ", ended));
            housekeeping.failed("No housekeeping", ended);
            pass(Duration.ofSeconds(1));
        }
        orders.recovered("'orders' goes on");
        pass(Duration.ofSeconds(1));
        orders.recovered("'orders' goes on");
        assertThat(log.told()).hasSize(1);
        heartbeat.recovered("The heartbeat is back");

        assertThat(loops.told()).isEmpty();
        assertThat(log.told())
                .containsExactly(
                        "WARN The database at db.internal:5432/shop cannot be used, and relay 'one' waits for it:"
                                + " FATAL: terminating connection",
                        "INFO The database at db.internal:5432/shop can be used again, and relay 'one' goes on, after"
                                + " 11.0 s; it failed 30 times, last: FATAL: terminating connection");
    }

    @Test
    void the_page_shows_the_two_lines_of_an_outage() throws IOException {
        for (int i = 0; i < 9; i++) {
            orders.failed(
                    "'orders' waits",
                    new SQLException("FATAL: terminating connection due to administrator command", "57P01"));
            pass(Duration.ofSeconds(1));
        }
        pass(Duration.ofMillis(3_300));
        orders.recovered("'orders' goes on");

        List<String> shown = Files.readAllLines(Path.of("../docs/operations/running.md")).stream()
                .filter(line -> line.matches("[0-9:.]+ [A-Z]+ +Outage .*"))
                .map(line -> line.replaceFirst("^\\S+ (\\S+) +Outage ", "$1 "))
                .toList();
        assertThat(log.told()).hasSize(2);
        assertThat(log.told())
                .extracting(line -> line.replaceFirst("last: .*", "last: …"))
                .isEqualTo(shown);
    }

    @Test
    void a_loop_that_works_on_an_old_connection_does_not_end_the_outage_of_one_that_gets_none() {
        heartbeat.failed(
                "No heartbeat", new SQLTransientConnectionException("none", new SQLException("refused", "08001")));
        for (int i = 0; i < 20; i++) {
            orders.recovered("'orders' goes on");
            pass(Duration.ofSeconds(1));
        }

        assertThat(log.told()).hasSize(1);
    }

    @Test
    void what_a_loop_does_wrong_itself_is_told_by_the_loop() {
        orders.failed("'orders' waits", new IllegalStateException("a defect"));
        orders.recovered("'orders' goes on");

        assertThat(log.told()).isEmpty();
        assertThat(loops.told()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P05"})
    void a_connection_that_was_ended_alone_is_told_by_its_loop_if_nobody_waits_for_that(String state) {
        housekeeping.failed("No housekeeping", new SQLException("FATAL: terminating connection", state));

        assertThat(log.told()).isEmpty();
        assertThat(loops.told()).hasSize(1);
    }

    @Test
    void a_database_that_takes_no_writes_is_an_outage() {
        orders.failed("'orders' waits", new SQLException("cannot execute INSERT in a read-only transaction", "25006"));

        assertThat(log.told()).hasSize(1);
        assertThat(loops.told()).isEmpty();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
