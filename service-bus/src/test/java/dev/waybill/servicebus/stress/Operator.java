package dev.waybill.servicebus.stress;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Releases whatever is held, at moments that fit nobody. */
final class Operator {
    private static final AuditContext BY_NOBODY = new AuditContext("stress", "to see what happens");

    private final Holds holds;
    private final SplittableRandom random;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "operator");
    private final AtomicInteger releases = new AtomicInteger();

    Operator(Holds holds, SplittableRandom random) {
        this.holds = holds;
        this.random = random;
        thread.start();
    }

    int releases() {
        return releases.get();
    }

    void leave() throws InterruptedException {
        stop.countDown();
        thread.join();
    }

    private void run() {
        try {
            while (!stop.await(random.nextInt(20, 300), TimeUnit.MILLISECONDS)) {
                for (Hold hold : holds.list()) {
                    if (random.nextInt(3) > 0) {
                        release(hold);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void release(Hold hold) {
        try {
            holds.release(hold.key(), BY_NOBODY);
            releases.incrementAndGet();
        } catch (NoSuchElementException e) {
            // It has ended meanwhile.
        }
    }
}
