package dev.waybill.standalone.console.api;

import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.AuditReader;
import dev.waybill.standalone.database.AuditReader.Entry;
import dev.waybill.standalone.database.AuditReader.Place;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class AuditApi {
    void register(ApiRoutes routes) {
        routes.get("/audit", this::show);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        var choice = new AuditReader.Choice(
                Requests.time(request, "from"),
                Requests.time(request, "until"),
                Requests.text(request, "operator"),
                Requests.text(request, "action"),
                Requests.text(request, "subject"));
        int most = Requests.most(request);
        List<Entry> found = new AuditReader(database.viewers(), database.schema())
                .page(choice, Requests.text(request, "behind").map(AuditApi::place), most + 1);
        boolean more = found.size() > most;
        List<Entry> shown = more ? found.subList(0, most) : found;
        Json.answer(
                request,
                Json.row(
                        "deeds",
                        shown.stream().map(AuditApi::row).toList(),
                        "behind",
                        more ? text(shown.get(most - 1).place()) : null));
    }

    private static String text(Place place) {
        return place.at() + "~" + place.id();
    }

    private static Place place(String text) {
        String[] parts = text.split("~", 3);
        try {
            return new Place(OffsetDateTime.parse(parts[0]).toInstant(), Long.parseLong(parts[1]));
        } catch (DateTimeException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw Requests.noPlace();
        }
    }

    private static Map<String, @Nullable Object> row(Entry deed) {
        return Json.row(
                "at", deed.at(),
                "action", deed.action(),
                "subject", deed.subject(),
                "operator", deed.word().operator(),
                "reason", deed.word().reason(),
                "databaseUser", deed.word().databaseUser());
    }
}
