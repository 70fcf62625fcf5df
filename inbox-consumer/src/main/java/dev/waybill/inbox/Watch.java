package dev.waybill.inbox;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at all work of a consumer again and again. */
final class Watch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long TICK_MILLIS = 50;

    private final List<Work> works;
    private final CountDownLatch end;

    Watch(List<Work> works, CountDownLatch end) {
        this.works = works;
        this.end = end;
    }

    @Override
    public void run() {
        try {
            while (!end.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                works.forEach(Watch::look);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void look(Work work) {
        try {
            work.look();
        } catch (RuntimeException e) {
            LOG.warn("A lock could not be prolonged", e);
        }
    }
}
