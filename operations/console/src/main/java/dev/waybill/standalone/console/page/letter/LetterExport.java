package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterExchange;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.log.AuditLog;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;

/** Exports dead letters as a file. It is complete in memory before the first byte is sent. */
final class LetterExport {
    /** The limit of body bytes; as text they take up to four times as much. */
    private static final long MOST = 8L << 20;

    private final Semaphore one = new Semaphore(1);

    void send(Context request, SignedInRequest visit, Database database, DeadLetterFilter filter) throws IOException {
        long bytes = DeadLetters.in(database.viewers(), database.schema())
                .page(filter, 0, LetterBulkAction.EXPORT.most(), 1)
                .rows()
                .stream()
                .mapToLong(DeadLetter.Summary::bytes)
                .sum();
        if (bytes > MOST) {
            throw new Refusal(
                    413,
                    "Their bodies have " + Formats.INSTANCE.number(bytes) + " bytes, and an export from here at most "
                            + Formats.INSTANCE.number(MOST) + ". Choose fewer, or use 'waybill-relay dlq export'.");
        }
        if (!one.tryAcquire()) {
            throw new Refusal(503, "Another export is running. Try again.");
        }
        try {
            var text = new StringBuilder();
            long exported =
                    DeadLetterExchange.in(database.viewers(), database.schema()).export(filter, text);
            AuditLog.tell(
                    exported + " dead letters of " + database.settings() + " were exported from the console",
                    visit.person().name(),
                    "looked at");
            request.header("Content-Disposition", "attachment; filename=\"dead-letters.ndjson\"")
                    .contentType("application/x-ndjson")
                    .result(text.toString().getBytes(StandardCharsets.UTF_8));
        } finally {
            one.release();
        }
    }
}
