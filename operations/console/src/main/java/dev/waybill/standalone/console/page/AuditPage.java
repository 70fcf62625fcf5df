package dev.waybill.standalone.console.page;

import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.FormTimes;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.AuditReader;
import dev.waybill.standalone.database.AuditReader.Entry;
import dev.waybill.standalone.database.AuditReader.Place;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The audit, the newest entries first. The address contains the filter. */
final class AuditPage {
    private static final int ROWS = 100;

    private final SignIn.Render render;

    AuditPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/audit", ConsoleRole.VIEWER, this::show);
    }

    record Filter(String operator, String action, String subject, String from, String until) {
        static Filter of(Context request) {
            return new Filter(
                    Forms.parameter(request, "operator").strip(),
                    Forms.parameter(request, "action").strip(),
                    Forms.parameter(request, "subject").strip(),
                    Forms.parameter(request, "from").strip(),
                    Forms.parameter(request, "until").strip());
        }

        AuditReader.Choice choice() {
            return new AuditReader.Choice(
                    given(from).map(text -> FormTimes.of(text, "from")),
                    given(until).map(text -> FormTimes.of(text, "until")),
                    given(operator),
                    given(action),
                    given(subject));
        }

        private static Optional<String> given(String text) {
            return Optional.of(text).filter(each -> !each.isEmpty());
        }

        public String query() {
            return "operator=" + url(operator) + "&action=" + url(action) + "&subject=" + url(subject) + "&from="
                    + url(from) + "&until=" + url(until);
        }

        private static String url(String text) {
            return Formats.INSTANCE.url(text);
        }
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        Filter filter = Filter.of(request);
        Optional<Place> behind = place(Forms.parameter(request, "behind"));
        List<Entry> found =
                new AuditReader(database.viewers(), database.schema()).page(filter.choice(), behind, ROWS + 1);
        boolean more = found.size() > ROWS;
        List<Entry> shown = more ? found.subList(0, ROWS) : found;
        render.page(
                request,
                "audit",
                Map.of(
                        "filter",
                        filter,
                        "deeds",
                        shown,
                        "first",
                        behind.isEmpty(),
                        "next",
                        more ? text(shown.get(ROWS - 1).place()) : ""));
    }

    private static String text(Place place) {
        return place.at() + "~" + place.id();
    }

    private static Optional<Place> place(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            String[] parts = text.split("~", 3);
            return Optional.of(new Place(OffsetDateTime.parse(parts[0]).toInstant(), Long.parseLong(parts[1])));
        } catch (DateTimeException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new Refusal(400, "The parameter after must come from an earlier page.");
        }
    }
}
