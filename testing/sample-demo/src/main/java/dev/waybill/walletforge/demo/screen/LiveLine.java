package dev.waybill.walletforge.demo.screen;

import java.io.PrintWriter;

/** One line of a terminal, written over and over. */
final class LiveLine implements Screen {
    private static final String CLEAR_LINE = "\r\u001b[2K";

    private final PrintWriter out;
    private String shown = "";

    LiveLine(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void event(String text) {
        out.print(CLEAR_LINE + text + System.lineSeparator() + shown);
        out.flush();
    }

    @Override
    public void progress(Progress progress) {
        shown = progress.text();
        out.print(CLEAR_LINE + shown);
        out.flush();
    }

    @Override
    public void end() {
        out.println();
        shown = "";
    }
}
