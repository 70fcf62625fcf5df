package dev.waybill.walletforge.demo.fault;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits by asking again and again, but not for ever. */
final class Bounded {
    private static final long PAUSE_MILLIS = 5;

    private Bounded() {}

    /** Whether the condition came true in time. */
    static boolean await(Duration atMost, Callable<Boolean> condition) throws Exception {
        long startedAt = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - startedAt > atMost.toNanos()) {
                return false;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return true;
    }

    /** Fails, saying what was waited for, if the condition does not come true in time. */
    static void require(String name, Duration atMost, Callable<Boolean> condition) throws Exception {
        if (!await(atMost, condition)) {
            throw new IllegalStateException("Waited for " + atMost.toSeconds() + " s in vain: " + name);
        }
    }
}
