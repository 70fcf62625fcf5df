package dev.waybill.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * Runs something once a day, such as {@link RepairJob#run} or {@link DeadLetterArchive#expire}; in each process that has one,
 * which the jobs of this package can bear. Whatever the work throws is logged, and the next day it runs again. Thread-safe.
 */
public final class DailyJob implements AutoCloseable {
    private final SupervisedThread thread;

    private DailyJob(SupervisedThread thread) {
        this.thread = thread;
    }

    /** Starts waiting for the next such time. */
    public static DailyJob start(String name, LocalTime at, ZoneId zone, Work work) {
        return start(name, at, zone, InstantSource.system(), work);
    }

    static DailyJob start(String name, LocalTime at, ZoneId zone, InstantSource clock, Work work) {
        var thread = new SupervisedThread("waybill-daily-" + name, new Days(at, zone, clock, work));
        thread.start();
        return new DailyJob(thread);
    }

    static Duration untilNext(Instant now, LocalTime at, ZoneId zone) {
        ZonedDateTime today = now.atZone(zone).with(at);
        ZonedDateTime next = today.toInstant().isAfter(now) ? today : today.plusDays(1);
        return Duration.between(now, next.toInstant());
    }

    /** Nothing is begun any more; what is being done is interrupted. */
    @Override
    public void close() {
        thread.interrupt();
    }

    /** Waits for the first time, and then does the work each time. */
    private static final class Days implements SupervisedThread.Turn {
        private final LocalTime at;
        private final ZoneId zone;
        private final InstantSource clock;
        private final Work work;
        private boolean waited;

        Days(LocalTime at, ZoneId zone, InstantSource clock, Work work) {
            this.at = at;
            this.zone = zone;
            this.clock = clock;
            this.work = work;
        }

        @Override
        public Duration take() throws Exception {
            if (waited) {
                work.run();
            }
            waited = true;
            return untilNext(clock.instant(), at, zone);
        }

        @Override
        public Duration restAfter(int failures) {
            return untilNext(clock.instant(), at, zone);
        }
    }

    /** What is to be done. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }
}
