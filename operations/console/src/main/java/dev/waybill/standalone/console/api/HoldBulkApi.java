package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldGroup;
import dev.waybill.hold.HoldPart;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.schema.Page;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.hold.HoldBulkRequest;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of many parked holds: a dry run counts them, and the change names the count. */
final class HoldBulkApi {
    private static final int GROUPS = 20;

    void register(ApiRoutes routes) {
        routes.get("/holds/many", ConsoleRole.OPERATOR, this::count);
        routes.post("/holds/many", this::change);
    }

    private void count(Context request, SignedInRequest visit, Database database) {
        HoldBulkRequest asked = HoldBulkRequest.of(request);
        HoldPart part = asked.part(database);
        HoldFilter chosen = asked.chosen(part);
        Holds holds = asked.holds(database.viewers(), database);
        HoldTally tally = holds.tally(chosen);
        long messages = asked.messages(tally);
        Page<HoldGroup> groups = holds.groups(chosen, GROUPS);
        Json.answer(
                request,
                Json.row(
                        "count",
                        part.count(),
                        "more",
                        part.more(),
                        "messages",
                        messages,
                        "busy",
                        tally.busy(),
                        "groups",
                        groups.rows().stream().map(HoldBulkApi::row).toList(),
                        "otherGroups",
                        groups.more(),
                        "token",
                        new CountToken(part.count(), messages, part.last(), part.at()).text(told(asked, database))));
    }

    private static Map<String, @Nullable Object> row(HoldGroup group) {
        return Json.row(
                "scope", group.scope(), "reason", group.reason(), "count", group.holds(), "since", group.since());
    }

    private void change(Context request, SignedInRequest visit, Database database) {
        HoldBulkRequest asked = HoldBulkRequest.of(request);
        JsonNode order = Json.read(request, List.of("reason", "token"));
        AuditContext instruction = Requests.instruction(order, visit);
        CountToken seen = CountToken.of(order.path("token").asText(), told(asked, database));
        long changed = asked.apply(
                new HoldPart(seen.count(), false, seen.last(), seen.at()), seen.messages(), instruction, database);
        Json.answer(request, Json.row("changed", changed));
    }

    // Includes the database, because numbers repeat in other databases.
    private static String told(HoldBulkRequest asked, Database database) {
        return database.name() + "\n" + asked.query();
    }
}
