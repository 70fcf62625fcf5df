package dev.waybill.standalone.console.page;

import dev.waybill.schema.Page;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.Visit;
import dev.waybill.standalone.database.AuditReader;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** The latest deeds of operators, in the console or elsewhere. */
final class AuditPage {
    private static final int ROWS = 100;

    private final SignIn.Render render;

    AuditPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/audit", ConsoleRole.VIEWER, this::show);
    }

    private void show(Context request, Visit visit, Database database) {
        String operator = Forms.parameter(request, "operator").strip();
        String action = Forms.parameter(request, "action").strip();
        var choice = new AuditReader.Choice(Optional.empty(), Optional.empty(), given(operator), given(action));
        Page<AuditReader.Deed> deeds = new AuditReader(database.viewers(), database.schema()).newest(choice, ROWS);
        render.page(
                request,
                "audit",
                Map.of("operator", operator, "action", action, "deeds", deeds.rows(), "more", deeds.more()));
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(each -> !each.isEmpty());
    }
}
