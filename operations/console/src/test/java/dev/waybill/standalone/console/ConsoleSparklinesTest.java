package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.database.BacklogSamples;
import dev.waybill.standalone.database.DestinationView;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The messages that waited in the last hour are counted in few rows, drawn, and told. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleSparklinesTest {
    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong(-1);
    private RunningConsole console;
    private DSLContext dsl;
    private String schema;
    private BacklogSamples samples;

    @BeforeEach
    void start(TestDatabase database) {
        console = RunningConsole.withPeople(database, directory);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        schema = database.schema();
        ExampleOutbox.fill(dsl, schema);
        samples = new BacklogSamples(database.dataSource(), new SchemaName(schema), nanos::get);
    }

    private void keep(long pending) {
        samples.keep(List.of(new DestinationView(
                "orders", pending, 1, new DestinationView.Held(0, 0), Optional.empty(), Optional.empty())));
    }

    private String rows(String query) {
        return dsl.fetch(query.formatted(schema)).formatCSV(false);
    }

    @Test
    void a_minute_has_one_row_that_is_written_over_an_hour_later() {
        keep(7);
        keep(8);
        assertThat(rows("select destination, pending from %s.outbox_sample"))
                .as("within a minute")
                .isEqualTo("orders,7\n");
        dsl.execute("update %1$s.outbox_sample set minute = extract(minute from clock_timestamp())".formatted(schema));
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        keep(9);
        assertThat(rows("select count(*) filter (where pending = 7) from %s.outbox_sample"))
                .as("another relay has written in this minute")
                .isEqualTo("1\n");
        dsl.execute(("update %1$s.outbox_sample set at = at - interval '1 hour';"
                        + "insert into %1$s.outbox_sample values ('gone', 3, now() - interval '2 days', 1, 1)")
                .formatted(schema));
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        keep(10);
        assertThat(rows("select pending from %s.outbox_sample where at > now() - interval '1 minute'"))
                .isEqualTo("10\n");
        assertThat(rows("select count(*) from %s.outbox_sample where destination = 'gone'"))
                .isEqualTo("0\n");
    }

    @Test
    @Tag("long")
    void the_last_hour_is_drawn_with_its_gaps_and_told_in_words() {
        dsl.execute(("insert into %1$s.outbox_sample"
                        + " select 'orders', extract(minute from t), t, 60 - n, 1 from generate_series(0, 50) n,"
                        + " lateral (select clock_timestamp() - n * interval '1 minute') x(t) where n not between 20 and 29")
                .formatted(schema));
        Browser browser = Browser.shared();
        browser.signIn(console, "victor");

        // The minute may be over before the page is there.
        String words = "Waiting in the last hour: 10 5[01] min ago, 60 at most, 60 at last";
        assertThat(browser.find("svg.spark").getAttribute("aria-label")).matches(words);
        assertThat(browser.find("svg.spark path").getAttribute("d")).matches("M1[68],[^M]*M(78|80),[^M]*");
        browser.examine("overview-sparklines");
        browser.follow("orders");
        assertThat(browser.find("svg.spark").getAttribute("aria-label")).matches(words);
    }
}
