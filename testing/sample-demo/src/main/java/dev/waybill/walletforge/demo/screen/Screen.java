package dev.waybill.walletforge.demo.screen;

import java.io.PrintWriter;

/** Where a run tells what it does. Used by one thread. */
public interface Screen {
    /** One line that is rewritten on a terminal, lines now and then elsewhere. */
    static Screen on(PrintWriter out, boolean terminal) {
        return terminal ? new LiveLine(out) : new PlainLines(out, System::nanoTime);
    }

    /** Something happened that is worth a line of its own. */
    void event(String text);

    /** How far the run has come; called often. */
    void progress(Progress progress);

    /** The run is over: what comes next starts on a fresh line. */
    void end();
}
