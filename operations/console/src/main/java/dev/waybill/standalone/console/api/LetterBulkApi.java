package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.Page;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.letter.LetterBulkRequest;
import dev.waybill.standalone.console.page.letter.RedriveRunner;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of many dead letters: a dry run counts them, and the change names the count. */
final class LetterBulkApi {
    private static final int GROUPS = 20;

    private final RedriveRunner work;

    LetterBulkApi(RedriveRunner work) {
        this.work = work;
    }

    void register(ApiRoutes routes) {
        routes.get("/dead-letters/many", ConsoleRole.OPERATOR, this::count);
        routes.post("/dead-letters/many", this::change);
    }

    private static LetterBulkRequest asked(Context request) {
        LetterBulkRequest asked = LetterBulkRequest.of(request);
        if (asked.isExport()) {
            throw new Refusal(400, "Dead letters are exported by the console's pages and the command line.");
        }
        return asked;
    }

    private void count(Context request, SignedInRequest visit, Database database) {
        LetterBulkRequest asked = asked(request);
        DeadLetters.Part part = asked.part(database);
        Page<DeadLetterGroup> groups = DeadLetters.in(database.viewers(), database.schema())
                .groups(asked.chosen(part), GROUPS, DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON);
        Json.answer(
                request,
                Json.row(
                        "count",
                        part.count(),
                        "more",
                        part.more(),
                        "groups",
                        groups.rows().stream().map(LettersApi::row).toList(),
                        "otherGroups",
                        groups.more(),
                        "plan",
                        asked.plan(part, database).map(LetterBulkApi::row),
                        "token",
                        new CountToken(part.count(), 0, part.last(), part.at()).text(told(asked, database))));
    }

    private static Map<String, @Nullable Object> row(RedrivePlan plan) {
        return Json.row(
                "messages", plan.messages(),
                "sessions", plan.sessions(),
                "destinations", plan.destinations(),
                "obstacles", plan.obstacles());
    }

    private void change(Context request, SignedInRequest visit, Database database) {
        LetterBulkRequest asked = asked(request);
        JsonNode order = Json.read(request, List.of("reason", "token"));
        AuditContext instruction = Requests.instruction(order, visit);
        CountToken seen = CountToken.of(order.path("token").asText(), told(asked, database));
        LetterBulkRequest.Outcome outcome =
                asked.apply(new DeadLetters.Part(seen.count(), false, seen.last(), seen.at()), instruction, database);
        outcome.redrive().ifPresent(run -> work.take(database, run));
        Json.answer(request, Json.row("changed", outcome.changed(), "redrive", outcome.redrive()));
    }

    // Includes the database, because numbers repeat in other databases.
    private static String told(LetterBulkRequest asked, Database database) {
        return database.name() + "\n" + asked.query();
    }
}
