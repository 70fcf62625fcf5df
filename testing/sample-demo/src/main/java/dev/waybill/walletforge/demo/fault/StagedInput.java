package dev.waybill.walletforge.demo.fault;

import dev.waybill.walletforge.demo.intake.Pace;

/** Lets the input through in equal portions. Thread-safe. */
final class StagedInput implements Pace {
    private final long lines;
    private final int input;
    private int released;

    StagedInput(long lines, int input) {
        this.lines = lines;
        this.input = input;
    }

    /** Lets the next portion through; the first one holds at least one line. */
    synchronized void releaseNext() {
        released++;
        notifyAll();
    }

    /** Lets all the rest through. */
    synchronized void releaseAll() {
        released = input;
        notifyAll();
    }

    @Override
    public synchronized void await(long position) throws InterruptedException {
        while (position >= limit()) {
            wait();
        }
    }

    private long limit() {
        // Rounded up, so that even a single payment is there from the first kill on.
        return released >= input ? Long.MAX_VALUE : (lines * released + input - 1) / input;
    }
}
