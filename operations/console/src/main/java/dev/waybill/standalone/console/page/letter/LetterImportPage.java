package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.ImportPreview;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.RequestCheck;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Imports dead letters: a preview, then the import. The browser sends the file both times, and the digest proves that it is the
 * same. So any replica can answer, and no message is stored in between.
 */
final class LetterImportPage {
    private final SignIn.Render render;

    LetterImportPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/dead-letters/import", ConsoleRole.OPERATOR, this::ask);
        routes.upload("/dead-letters/import/look", ConsoleRole.OPERATOR, this::look);
        routes.upload("/dead-letters/import", ConsoleRole.OPERATOR, this::change);
    }

    private void ask(Context request, SignedInRequest visit, Database database) {
        show(request, List.of(), "");
    }

    private void show(Context request, List<ImportPreview> looked, String digest) {
        render.page(
                request,
                "dead-letters-import",
                new HashMap<>(Map.of("looked", looked, "digest", digest, "most", RequestCheck.LONGEST_FILE >> 20)));
    }

    private void look(Context request, SignedInRequest visit, Database database) throws IOException {
        ImportFile file = ImportFile.ofForm(request);
        show(request, List.of(file.preview(database)), file.digest());
    }

    // A repeated import changes nothing.
    private void change(Context request, SignedInRequest visit, Database database) throws IOException {
        AuditContext instruction = Forms.instruction(request, visit);
        String seen = Forms.field(request, "digest");
        ImportFile file = ImportFile.ofForm(request);
        if (!file.digest().equals(seen)) {
            throw new Refusal(409, "Nothing was imported: this is not the previewed file.");
        }
        int imported = file.importInto(database, instruction);
        request.redirect(
                "/dead-letters?db=" + Formats.INSTANCE.url(database.name()) + "&imported=" + imported,
                HttpStatus.SEE_OTHER);
    }
}
