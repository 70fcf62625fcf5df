package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldPart;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Changes many parked holds: a preview, then the change of the previewed holds. */
final class HoldBulkPage {
    private static final int FIRST = 10;
    private static final int GROUPS = 20;

    private final SignIn.Render render;

    HoldBulkPage(SignIn.Render render) {
        this.render = render;
    }

    void register(Routes routes) {
        routes.change("/held/choose", ConsoleRole.OPERATOR, this::choose);
        routes.page("/held/many", ConsoleRole.OPERATOR, this::show);
        routes.change("/held/many", ConsoleRole.OPERATOR, this::change);
    }

    // Redirects the selection to an address, without a change.
    private void choose(Context request, SignedInRequest visit, Database database) {
        HeldFilter filter = HeldFilter.of(request);
        if (Forms.field(request, "which").equals("ticked")) {
            List<String> ticked = request.formParams("id");
            if (ticked.isEmpty()) {
                throw new Refusal(400, "Select holds first.");
            }
            filter = filter.ticked(ticked);
        }
        String deed = HoldBulkAction.of(Forms.field(request, "deed")).word();
        request.redirect(
                "/held/many?db=" + Formats.INSTANCE.url(database.name()) + "&deed=" + deed + "&" + filter.query(),
                HttpStatus.SEE_OTHER);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        HoldBulkRequest asked = HoldBulkRequest.of(request);
        HoldPart part = asked.part(database);
        HoldFilter chosen = asked.chosen(part);
        Holds holds = asked.holds(database.viewers(), database);
        HoldTally tally = holds.tally(chosen);
        var model = new HashMap<String, Object>(Map.of(
                "deed", asked.deed(),
                "filter", asked.filter(),
                "part", part,
                "tally", tally,
                "messages", asked.deed().messages(tally),
                "groups", holds.groups(chosen, GROUPS),
                "first", holds.page(chosen, 0, FIRST).rows(),
                "gone", Math.max(0, asked.filter().ids().size() - part.count()),
                "typed", asked.asksForTheNumber()));
        render.page(request, "held-many", model);
    }

    private void change(Context request, SignedInRequest visit, Database database) {
        HoldBulkRequest asked = HoldBulkRequest.of(request);
        AuditContext instruction = Forms.instruction(request, visit);
        HoldPart seen = seen(request);
        long messages = number(request, "messages");
        if (asked.asksForTheNumber()
                && !Forms.field(request, "typed").strip().replace(",", "").equals(Long.toString(messages))) {
            throw new Refusal(400, "Nothing was changed: the typed number is not the number of messages.");
        }
        long changed = asked.apply(seen, messages, instruction, database);
        request.redirect(
                "/held?db=" + Formats.INSTANCE.url(database.name()) + "&"
                        + asked.filter().query() + "&deed=" + asked.deed().word() + "&changed=" + changed + "&of="
                        + seen.count(),
                HttpStatus.SEE_OTHER);
    }

    private static HoldPart seen(Context request) {
        try {
            return new HoldPart(
                    number(request, "count"),
                    false,
                    number(request, "last"),
                    OffsetDateTime.parse(Forms.field(request, "at")).toInstant());
        } catch (DateTimeException e) {
            throw new Refusal(400, "The form is not one of this console.");
        }
    }

    private static long number(Context request, String field) {
        return Forms.number(Forms.field(request, field), "");
    }

    /** The result in words. The address contains numbers and a word, never a text. */
    static String outcome(Context request) {
        String changed = Forms.parameter(request, "changed");
        String of = Forms.parameter(request, "of");
        if (!changed.matches("[0-9]{1,9}") || !of.matches("[0-9]{1,9}")) {
            return "";
        }
        String label = HoldBulkAction.of(Forms.parameter(request, "deed")).label();
        return changed.equals("0")
                ? label + ": nothing was changed. None of the holds is any more as you saw it, or all are being tried."
                : label + ": done to " + changed + " of " + of + " holds."
                        + (changed.equals(of)
                                ? ""
                                : " The others have changed meanwhile or are being tried, and stay.");
    }
}
