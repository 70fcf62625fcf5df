package dev.waybill.walletforge.demo.screen;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A line every second while something moves, and one for every tenth of the way. */
final class PlainLines implements Screen {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PrintWriter out;
    private final LongSupplier nanoTime;
    private @Nullable Progress printed;
    private @Nullable Progress latest;
    private long printedAt;

    PlainLines(PrintWriter out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        printedAt = nanoTime.getAsLong();
    }

    @Override
    public void event(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void progress(Progress progress) {
        latest = progress;
        boolean due = nanoTime.getAsLong() - printedAt >= INTERVAL_NANOS;
        boolean further = progress.tenths() > (printed == null ? 0 : printed.tenths());
        if (further || due) {
            print(progress);
        }
    }

    @Override
    public void end() {
        if (latest != null) {
            print(latest);
        }
    }

    private void print(Progress progress) {
        printedAt = nanoTime.getAsLong();
        if (!progress.equals(printed)) {
            printed = progress;
            event(progress.text());
        }
    }
}
