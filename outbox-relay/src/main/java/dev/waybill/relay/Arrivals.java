package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * Tells a destination's loop that answers have come, but not of those that its own step lands: a publisher may answer at
 * once, on the thread of the step. {@link #run} is for any thread, all else for the step's.
 */
final class Arrivals implements Runnable {
    private final Runnable tell;
    private volatile @Nullable Thread stepping;
    private boolean unlanded;

    /** @param tell ends the rest of the loop; on any thread */
    Arrivals(Runnable tell) {
        this.tell = tell;
    }

    /** An answer has come. */
    @Override
    public void run() {
        if (Thread.currentThread() == stepping) {
            unlanded = true;
        } else {
            tell.run();
        }
    }

    /** A step begins on this thread. */
    void begin() {
        stepping = Thread.currentThread();
    }

    /** The step lands what has come so far. */
    void land() {
        unlanded = false;
    }

    /** The step ends, and tells of answers that it has not landed. */
    void end() {
        stepping = null;
        if (unlanded) {
            // Told once: a step that fails before it lands anything would end its own rest with it, and each after
            // it too.
            unlanded = false;
            tell.run();
        }
    }
}
