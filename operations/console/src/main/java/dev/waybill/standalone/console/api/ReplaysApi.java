package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.ReplayRequests;
import dev.waybill.standalone.database.ReplayReader;
import dev.waybill.standalone.database.ReplayReader.Run;
import dev.waybill.standalone.replay.ReplayCount;
import dev.waybill.standalone.replay.ReplaySelection;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Plans, starts, resumes and abandons replays. */
final class ReplaysApi {
    void register(ApiRoutes routes) {
        routes.get("/replays", this::list);
        routes.get("/replays/plan", ConsoleRole.OPERATOR, this::plan);
        routes.post("/replays", this::begin);
        routes.post("/replays/{run}/resume", this::resume);
        routes.post("/replays/{run}/abandon", this::abandon);
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        var runs = new ReplayReader(database.viewers(), database.schema()).newest(Requests.most(request));
        Json.answer(
                request,
                Json.row("replays", runs.rows().stream().map(ReplaysApi::row).toList(), "more", runs.more()));
    }

    private static Map<String, @Nullable Object> row(Run run) {
        return Json.row(
                "run", run.id().toString(),
                "destination", run.destination(),
                "session", run.session(),
                "state", run.state(),
                "replayed", run.replayed(),
                "startedAt", run.startedAt(),
                "reason", run.reason());
    }

    private void plan(Context request, SignedInRequest visit, Database database) {
        var requests = new ReplayRequests(database);
        ReplaySelection selection = requests.selection(
                Requests.required(request, "destination"),
                Requests.text(request, "session").orElse(""),
                Requests.text(request, "from").orElse(""),
                Requests.text(request, "until").orElse(""));
        ReplayCount count = requests.count(selection);
        Json.answer(
                request,
                Json.row(
                        "destination", selection.destination(),
                        "session", selection.session(),
                        "from", selection.from(),
                        "until", selection.until(),
                        "messages", count.published(),
                        "sessions", count.sessions(),
                        "pending", count.pending(),
                        "missingBodies", count.missingBodies()));
    }

    // The request repeats the plan, which makes a second one idempotent.
    private void begin(Context request, SignedInRequest visit, Database database) {
        JsonNode order = Json.read(request, List.of("reason", "destination", "session", "from", "until", "messages"));
        AuditContext instruction = Requests.instruction(order, visit);
        String until = text(order, "until");
        if (until.isEmpty()) {
            throw new Refusal(400, "Send the value of until from the plan.");
        }
        var requests = new ReplayRequests(database);
        ReplaySelection selection =
                requests.selection(text(order, "destination"), text(order, "session"), text(order, "from"), until);
        UUID run = requests.begin(selection, Requests.whole(order, "messages"), instruction)
                .orElseThrow(() -> new Refusal(
                        412,
                        "Nothing was begun: the same replay was begun before, or there is more to replay now than you"
                                + " saw."));
        Json.answer(request, Json.row("run", run.toString(), "changed", true));
    }

    private static String text(JsonNode order, String member) {
        JsonNode value = order.path(member);
        if (!value.isTextual() && !value.isMissingNode() && !value.isNull()) {
            throw new Refusal(400, "The member " + member + " is a text.");
        }
        return value.isTextual() ? value.textValue() : "";
    }

    @FunctionalInterface
    private interface Change {
        boolean apply(ReplayRequests requests, UUID run, AuditContext instruction);
    }

    private void resume(Context request, SignedInRequest visit, Database database) {
        change(request, visit, database, ReplayRequests::resume);
    }

    private void abandon(Context request, SignedInRequest visit, Database database) {
        change(request, visit, database, ReplayRequests::abandon);
    }

    private static void change(Context request, SignedInRequest visit, Database database, Change change) {
        AuditContext instruction = Requests.instruction(Json.read(request, List.of("reason")), visit);
        UUID run;
        try {
            run = UUID.fromString(request.pathParam("run"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(404, "There is no such replay.");
        }
        boolean changed = change.apply(new ReplayRequests(database), run, instruction);
        Json.answer(request, Json.row("run", run.toString(), "changed", changed));
    }
}
