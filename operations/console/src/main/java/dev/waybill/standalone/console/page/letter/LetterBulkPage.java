package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Redrives;
import dev.waybill.hold.AuditContext;
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
import java.io.IOException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Changes many dead letters: a preview, then the change of the previewed letters, if they are unchanged. */
final class LetterBulkPage {
    private static final int FIRST = 10;
    private static final int GROUPS = 20;

    private final SignIn.Render render;
    private final ContentMask mask;
    private final RedriveRunner work;
    private final LetterExport export = new LetterExport();

    LetterBulkPage(SignIn.Render render, RedriveRunner work, ContentMask mask) {
        this.mask = mask;
        this.render = render;
        this.work = work;
    }

    void register(Routes routes) {
        routes.change("/dead-letters/choose", ConsoleRole.OPERATOR, this::choose);
        routes.page("/dead-letters/many", ConsoleRole.OPERATOR, this::show);
        routes.change("/dead-letters/many", ConsoleRole.OPERATOR, this::change);
        routes.change("/dead-letters/export", ConsoleRole.OPERATOR, this::download);
    }

    // Redirects the selection to an address that can be shared, without a change.
    private void choose(Context request, SignedInRequest visit, Database database) {
        LetterFilter filter = LetterFilter.of(request);
        if (Forms.field(request, "which").equals("ticked")) {
            List<String> ticked = request.formParams("id");
            if (ticked.isEmpty()) {
                throw new Refusal(400, "Select dead letters first.");
            }
            filter = filter.ticked(ticked);
        }
        String deed = LetterBulkAction.of(Forms.field(request, "deed")).word();
        request.redirect(
                "/dead-letters/many?db=" + Formats.INSTANCE.url(database.name()) + "&deed=" + deed + "&"
                        + filter.query(),
                HttpStatus.SEE_OTHER);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        LetterBulkRequest asked = LetterBulkRequest.of(request);
        checkExport(asked);
        var letters = DeadLetters.in(database.viewers(), database.schema());
        DeadLetters.Part part = asked.part(database);
        DeadLetterFilter chosen = asked.chosen(part);
        var model = new HashMap<String, Object>(Map.of(
                "deed", asked.deed(),
                "filter", asked.filter(),
                "state", LettersPage.word(asked.filter().state()),
                "options", asked.options(),
                "part", part,
                "first", letters.page(chosen, 0, FIRST, 1).rows(),
                "groups",
                        letters.groups(chosen, GROUPS, DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON)
                                .map(LettersPage.Group::of),
                "gone", Math.max(0, asked.filter().ids().size() - part.count()),
                "typed", asked.asksForTheNumber()));
        model.put("elsewhere", elsewhere(asked, chosen, database));
        boolean sends = asked.deed() == LetterBulkAction.REDRIVE;
        var redrives = Redrives.in(database.viewers(), database.schema());
        model.put("plan", asked.plan(part, database).stream().toList());
        model.put("underWay", sends ? redrives.underWay() : List.of());
        render.page(request, "dead-letters-many", model);
    }

    private static long elsewhere(LetterBulkRequest asked, DeadLetterFilter chosen, Database database) {
        return asked.deed().asksTheArchive()
                ? DeadLetterArchive.in(database.viewers(), database.schema()).elsewhere(chosen)
                : 0;
    }

    private void change(Context request, SignedInRequest visit, Database database) {
        LetterBulkRequest asked = LetterBulkRequest.of(request);
        AuditContext instruction = Forms.instruction(request, visit);
        DeadLetters.Part seen = seen(request);
        if (asked.asksForTheNumber()
                && !Forms.field(request, "typed").strip().replace(",", "").equals(Long.toString(seen.count()))) {
            throw new Refusal(400, "Nothing was changed: the typed number is not the number of dead letters.");
        }
        LetterBulkRequest.Outcome outcome = asked.apply(seen, instruction, database);
        outcome.redrive().ifPresent(id -> work.take(database, id));
        request.redirect(address(asked, seen, outcome, database), HttpStatus.SEE_OTHER);
    }

    private static String address(
            LetterBulkRequest asked, DeadLetters.Part seen, LetterBulkRequest.Outcome outcome, Database database) {
        String db = "db=" + Formats.INSTANCE.url(database.name());
        if (outcome.redrive().isPresent()) {
            return "/redrive?" + db + "&id=" + outcome.redrive().get() + "&done=redrive-begun";
        }
        return asked.deed() == LetterBulkAction.REDRIVE && outcome.asSeen()
                ? "/redrives?" + db + "&done=redrive-twice"
                : "/dead-letters?" + db + "&" + asked.filter().query() + "&deed="
                        + asked.deed().word() + "&changed=" + outcome.changed() + "&of=" + seen.count();
    }

    private void download(Context request, SignedInRequest visit, Database database) throws IOException {
        LetterBulkRequest asked = LetterBulkRequest.of(request);
        if (asked.deed() != LetterBulkAction.EXPORT) {
            throw new Refusal(400, "This is for exports.");
        }
        checkExport(asked);
        DeadLetters.Part seen = seen(request);
        DeadLetterFilter chosen = seen.of(asked.letters());
        if (!asked.isAsSeen(seen, DeadLetters.in(database.viewers(), database.schema()))) {
            throw new Refusal(
                    409, "Nothing was exported: the dead letters have changed since you saw them. Reload the page.");
        }
        export.send(request, visit, database, chosen);
    }

    private void checkExport(LetterBulkRequest asked) {
        if (asked.deed() == LetterBulkAction.EXPORT && !mask.isEmpty()) {
            throw new Refusal(
                    403,
                    "console.redact hides parts of messages, and a file would have them. Use 'waybill-relay dlq export'.");
        }
    }

    private static DeadLetters.Part seen(Context request) {
        try {
            return new DeadLetters.Part(
                    Long.parseLong(Forms.field(request, "count")),
                    false,
                    Long.parseLong(Forms.field(request, "last")),
                    OffsetDateTime.parse(Forms.field(request, "at")).toInstant());
        } catch (NumberFormatException | DateTimeException e) {
            throw new Refusal(400, "The form is not one of this console.");
        }
    }
}
