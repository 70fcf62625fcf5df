package dev.waybill.standalone.cli.command;

import java.util.Locale;

public final class Progress {
    private static final int WIDTH = 40;

    private final String unit;
    private final long all;
    private final boolean shown;

    public Progress(String unit, long all, boolean shown) {
        this.unit = unit;
        this.all = Math.max(1, all);
        this.shown = shown;
    }

    public void show(long done) {
        if (shown) {
            System.err.print(line(done));
            System.err.flush();
        }
    }

    public void end() {
        if (shown) {
            System.err.println(line(all));
        }
    }

    private String line(long done) {
        int filled = (int) Math.min(WIDTH, WIDTH * done / all);
        return String.format(
                Locale.ROOT, "\r[%s%s] %,d of %,d %s", "#".repeat(filled), " ".repeat(WIDTH - filled), done, all, unit);
    }
}
