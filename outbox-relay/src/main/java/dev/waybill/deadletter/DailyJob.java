package dev.waybill.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs something once a day, such as {@link RepairJob#run} or {@link DeadLetterArchive#expire}; in each process that has one,
 * which the jobs of this package can bear. A failure is told, and the next day comes. Thread-safe.
 */
public final class DailyJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DailyJob.class);

    private final String name;
    private final LocalTime at;
    private final ZoneId zone;
    private final InstantSource clock;
    private final Work work;
    private final ScheduledExecutorService executor;

    private DailyJob(String name, LocalTime at, ZoneId zone, InstantSource clock, Work work) {
        this.name = name;
        this.at = at;
        this.zone = zone;
        this.clock = clock;
        this.work = work;
        executor = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, "waybill-daily-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts waiting for the next such time. */
    public static DailyJob start(String name, LocalTime at, ZoneId zone, Work work) {
        return start(name, at, zone, InstantSource.system(), work);
    }

    static DailyJob start(String name, LocalTime at, ZoneId zone, InstantSource clock, Work work) {
        var job = new DailyJob(name, at, zone, clock, work);
        job.scheduleNext();
        return job;
    }

    static Duration untilNext(Instant now, LocalTime at, ZoneId zone) {
        ZonedDateTime today = now.atZone(zone).with(at);
        ZonedDateTime next = today.toInstant().isAfter(now) ? today : today.plusDays(1);
        return Duration.between(now, next.toInstant());
    }

    private void scheduleNext() {
        Duration rest = untilNext(clock.instant(), at, zone);
        if (!executor.isShutdown()) {
            var unused = executor.schedule(this::runAndGoOn, rest.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void runAndGoOn() {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (Exception e) {
            LOG.error("The daily job '{}' failed; it runs again tomorrow", name, e);
        }
        scheduleNext();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** What is to be done. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }
}
