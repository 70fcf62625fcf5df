package dev.waybill.standalone.console.access;

import dev.waybill.standalone.log.AuditLog;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Lists sessions; an admin can end them. */
public final class PeoplePage {
    private final Access access;
    private final SignIn.Render render;

    public PeoplePage(Access access, SignIn.Render render) {
        this.access = access;
        this.render = render;
    }

    public void register(Routes routes) {
        routes.people("/people", ConsoleRole.ADMIN, this::show);
        routes.changeOfAll("/people/end", ConsoleRole.ADMIN, this::end);
    }

    private void show(Context request, SignedInRequest visit) {
        render.page(
                request,
                "people",
                Map.of(
                        "sessions",
                        access.sessions().list(),
                        "mayEnd",
                        visit.person().rights().allowsEverywhere(ConsoleRole.ADMIN)));
    }

    private void end(Context request, SignedInRequest visit) {
        UUID id = id(String.valueOf(request.formParam("id")));
        Optional<String> whose = access.sessions().close(id);
        whose.ifPresent(person -> AuditLog.tell(
                "A session of " + person + " was ended in the console",
                visit.person().name(),
                "an admin's word"));
        request.redirect(
                "/people?done=" + (whose.isPresent() ? "session-ended" : "session-gone"), HttpStatus.SEE_OTHER);
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "This is no session.");
        }
    }
}
