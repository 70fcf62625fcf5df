package dev.waybill.standalone.console.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that answers slowly does not make a page slow. */
@Timeout(30)
class OverviewCacheTest {
    // Nobody connects: the readings are the test's.
    private static final DataSource NOWHERE = new PGSimpleDataSource();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong clock = new AtomicLong(1);
    private final BlockingQueue<OverviewCache.Read> readings = new ArrayBlockingQueue<>(10);
    private final OverviewCache outlooks = new OverviewCache(threads, clock::get, database -> {
        try {
            return readings.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    });
    private final Database database = new Database(
            Configuration.of(new Sources(
                            Map.of("database.main.url", "jdbc:postgresql://127.0.0.1/none"),
                            Map.of(),
                            Map.of(),
                            Optional.empty()))
                    .database(Optional.empty()),
            NOWHERE,
            NOWHERE);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void a_reading_that_takes_long_is_waited_for_only_if_there_is_none_before() {
        readings.add(reading(1));
        assertThat(seen()).isEqualTo(1);

        pass(Duration.ofSeconds(3));
        assertThat(seen()).as("while the next one is read").isEqualTo(1);
        readings.add(reading(2));
        pass(Duration.ofSeconds(1));
        await().untilAsserted(() -> assertThat(seen()).isEqualTo(2));
    }

    @Test
    void an_old_reading_is_not_shown_however_long_the_next_one_takes() {
        readings.add(reading(1));
        assertThat(seen()).isEqualTo(1);

        pass(Duration.ofSeconds(16));
        threads.execute(() -> readings.add(reading(2)));
        assertThat(seen()).isEqualTo(2);
    }

    private long seen() {
        Overview overview = outlooks.of(List.of(database)).get(0).overview();
        return overview == null ? -1 : overview.status().scheduled();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private static OverviewCache.Read reading(long number) {
        var status = new Status("main", List.of(), List.of(), number, List.of());
        var overview = new Overview(status, Map.of(), List.of(), List.of(), List.of());
        return new OverviewCache.Read(overview, Map.of());
    }
}
