package dev.waybill.proof.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What happened when, in milliseconds since the run began. Thread-safe. */
public final class Timeline {
    private final long startedAt = System.nanoTime();
    private final List<Strike> strikes = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final Consumer<String> screen;

    public Timeline(Consumer<String> screen) {
        this.screen = screen;
    }

    public long now() {
        return (System.nanoTime() - startedAt) / 1_000_000;
    }

    /** Tells the reader of the terminal. */
    public void say(String text) {
        screen.accept("%7.1f s  %s".formatted(now() / 1000.0, text));
    }

    /** Keeps a sample. */
    public synchronized void sample(Sample sample) {
        samples.add(sample);
    }

    /** Notes that a nemesis strikes. */
    public synchronized Strike begin(String nemesis) {
        var strike = new Strike(nemesis, now());
        strikes.add(strike);
        say(nemesis + " …");
        return strike;
    }

    /** Notes its end. */
    public synchronized void end(Strike strike, String detail) {
        strike.end = now();
        strike.detail = detail;
        say(strike.nemesis + " over" + (detail.isEmpty() ? "" : ": " + detail));
    }

    public synchronized List<Strike> strikes() {
        return List.copyOf(strikes);
    }

    public synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** A nemesis at work. */
    public static final class Strike {
        private final String nemesis;
        private final long begin;
        private long end = -1;
        private @Nullable String detail;

        Strike(String nemesis, long begin) {
            this.nemesis = nemesis;
            this.begin = begin;
        }

        public String nemesis() {
            return nemesis;
        }

        public long begin() {
            return begin;
        }

        /** Of one that is not over: the end of all time. */
        public long end() {
            return end < 0 ? Long.MAX_VALUE : end;
        }

        public String detail() {
            return detail == null ? "" : detail;
        }
    }

    /**
     * What the database had at a moment.
     *
     * @param at milliseconds since the run began
     * @param written messages committed
     * @param effects of all consumers
     * @param ledger effects of the ledger
     * @param pending rows in the outbox
     */
    public record Sample(long at, long written, long effects, long ledger, long pending) {}
}
