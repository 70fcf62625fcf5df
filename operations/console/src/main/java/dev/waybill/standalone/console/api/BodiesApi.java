package dev.waybill.standalone.console.api;

import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.Bodies;
import dev.waybill.standalone.message.BodyText;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** The first bytes of bodies. Each access is logged. */
final class BodiesApi {
    private final Bodies bodies;

    BodiesApi(Bodies bodies) {
        this.bodies = bodies;
    }

    void register(ApiRoutes routes) {
        routes.get("/dead-letters/{id}/body", ConsoleRole.OPERATOR, this::ofLetter);
        routes.get("/holds/{id}/messages/{place}/body", ConsoleRole.OPERATOR, this::ofHeld);
    }

    private void ofLetter(Context request, SignedInRequest visit, Database database) {
        answer(request, visit, database, bodies.ofLetter(Requests.id(request), database));
    }

    private void ofHeld(Context request, SignedInRequest visit, Database database) {
        long place = Requests.number(request.pathParam("place"));
        answer(request, visit, database, bodies.ofHeld(HoldsApi.side(request), Requests.id(request), place, database));
    }

    private static void answer(Context request, SignedInRequest visit, Database database, Bodies.Found found) {
        Bodies.tell(found, visit.person(), database);
        @Nullable BodyText body = found.body();
        Json.answer(
                request,
                Json.row(
                        "of",
                        found.of(),
                        "missing",
                        found.missing().isEmpty() ? null : found.missing(),
                        "bytes",
                        body == null ? null : body.bytes(),
                        "cut",
                        body != null && body.isCut(),
                        "text",
                        body == null ? null : body.text(),
                        "hex",
                        body == null || body.isText() ? null : body.hex()));
    }
}
