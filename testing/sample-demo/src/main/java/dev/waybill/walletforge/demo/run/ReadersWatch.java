package dev.waybill.walletforge.demo.run;

import dev.waybill.walletforge.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Waits until each transfer is at its end and each reader has seen what there is. */
record ReadersWatch(Installation installation, Path mails) {
    private static final long INTERVAL_MILLIS = 50;

    /** Returns then, or when nothing has moved for so long. */
    void follow(Duration patience) throws IOException, InterruptedException {
        long movedAt = System.nanoTime();
        long before = -1;
        while (System.nanoTime() - movedAt < patience.toNanos()) {
            long missing = missing();
            if (missing == 0) {
                return;
            }
            if (missing != before) {
                before = missing;
                movedAt = System.nanoTime();
            }
            Thread.sleep(INTERVAL_MILLIS);
        }
    }

    private long missing() throws IOException {
        String entries = "(select count(*) from " + installation.table("ledger_entry");
        return installation
                        .dsl()
                        .fetchSingle("select 1000000 * (select count(*) from " + installation.table("transfer")
                                + " where state not in ('completed', 'declined', 'compensated'))"
                                + " + abs(" + entries + ") - (select count(*) from "
                                + installation.table("archived_event") + "))"
                                + " + abs(" + entries + ") - (select coalesce(sum(entries), 0) from "
                                + installation.table("daily_total") + "))"
                                + " + abs(" + entries + " where amount_cents >= 50000) - (select count(*) from "
                                + installation.table("fraud_case") + "))"
                                + " + " + entries + " where outcome = 'declined')")
                        .get(0, Long.class)
                - sent();
    }

    private long sent() throws IOException {
        try (var files = Files.list(mails)) {
            return files.filter(file -> file.toString().endsWith(".eml")).count();
        }
    }
}
