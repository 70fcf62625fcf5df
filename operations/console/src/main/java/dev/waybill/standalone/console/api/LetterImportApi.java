package dev.waybill.standalone.console.api;

import dev.waybill.deadletter.ImportPreview;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.letter.ImportFile;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Imports dead letters from lines of JSON. A repeated request imports nothing. */
final class LetterImportApi {
    /** The lines are in memory, so the API handles one import at a time. */
    private final Semaphore one = new Semaphore(1);

    void register(ApiRoutes routes) {
        routes.post("/dead-letters/import", this::take);
    }

    private void take(Context request, SignedInRequest visit, Database database) throws IOException {
        boolean dryRun = Requests.text(request, "dryRun").filter("true"::equals).isPresent();
        if (!one.tryAcquire()) {
            throw new Refusal(503, "Another import is running.");
        }
        try {
            if (dryRun) {
                tell(request, ImportFile.ofBody(request).preview(database));
            } else {
                AuditContext instruction = Requests.instruction(request, visit);
                int imported = ImportFile.ofBody(request).importInto(database, instruction);
                Json.answer(
                        request,
                        Json.row("imported", imported, "lines", null, "refused", List.of(), "otherRefused", 0));
            }
        } finally {
            one.release();
        }
    }

    private static void tell(Context request, ImportPreview preview) {
        Json.answer(
                request,
                Json.row(
                        "imported",
                        preview.isPossible() ? preview.imported() : 0,
                        "lines",
                        preview.lines(),
                        "refused",
                        preview.refused().stream()
                                .map(each -> Json.row("line", each.line(), "why", each.why()))
                                .toList(),
                        "otherRefused",
                        preview.otherRefused()));
    }
}
