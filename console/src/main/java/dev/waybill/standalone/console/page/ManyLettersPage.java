package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterPart;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Grouping;
import dev.waybill.deadletter.RedriveRefusedException;
import dev.waybill.deadletter.Redrives;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.Visit;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decisions about many dead letters: a page that says exactly what would happen, and the change of those letters that the
 * person has seen there, as they were then.
 */
final class ManyLettersPage {
    private static final int FIRST = 10;
    private static final int GROUPS = 20;

    private final SignIn.Render render;
    private final ContentMask mask;
    private final RedriveWork work;
    private final LetterExport export = new LetterExport();

    ManyLettersPage(SignIn.Render render, RedriveWork work, ContentMask mask) {
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

    /** What was asked for. */
    private record Wish(ManyDeed deed, LetterFilter filter, ManyOptions options) {
        static Wish of(Context request) {
            ManyDeed deed = ManyDeed.of(Forms.parameter(request, "deed"));
            LetterFilter filter = LetterFilter.of(request);
            if (!deed.isPossibleFrom(filter.state())) {
                throw new Refusal(
                        400,
                        "What is " + LettersPage.word(filter.state()) + " cannot have this done to it: " + deed.label()
                                + ".");
            }
            return new Wish(deed, filter, ManyOptions.of(request));
        }

        DeadLetterFilter letters() {
            return deed.among(filter.filter());
        }

        boolean asksForTheNumber() {
            return deed != ManyDeed.EXPORT && (deed.isFinal() || !filter.isNarrowed());
        }
    }

    // Nothing is changed: the choice becomes an address, which can be kept and sent to somebody.
    private void choose(Context request, Visit visit, Database database) {
        LetterFilter filter = LetterFilter.of(request);
        if (Forms.field(request, "which").equals("ticked")) {
            List<String> ticked = request.formParams("id");
            if (ticked.isEmpty()) {
                throw new Refusal(400, "Tick some dead letters first.");
            }
            filter = filter.ticked(ticked);
        }
        String deed = ManyDeed.of(Forms.field(request, "deed")).word();
        request.redirect(
                "/dead-letters/many?db=" + Shown.INSTANCE.url(database.name()) + "&deed=" + deed + "&" + filter.query(),
                HttpStatus.SEE_OTHER);
    }

    private void show(Context request, Visit visit, Database database) {
        Wish wish = Wish.of(request);
        checkExport(wish);
        wish.options.fields();
        var letters = DeadLetters.in(database.viewers(), database.schema());
        DeadLetterPart part = letters.part(wish.letters(), wish.deed.most());
        DeadLetterFilter chosen = part.of(wish.letters());
        var model = new HashMap<String, Object>(Map.of(
                "deed", wish.deed,
                "filter", wish.filter,
                "state", LettersPage.word(wish.filter.state()),
                "options", wish.options,
                "part", part,
                "first", letters.page(chosen, 0, FIRST, 1).rows(),
                "groups",
                        letters.groups(chosen, GROUPS, Grouping.ENTITY, Grouping.REASON)
                                .map(LettersPage.Group::of),
                "gone", Math.max(0, wish.filter.ids().size() - part.count()),
                "typed", wish.asksForTheNumber()));
        model.put("elsewhere", elsewhere(wish, chosen, database));
        boolean sends = wish.deed == ManyDeed.REDRIVE;
        var redrives = Redrives.in(database.viewers(), database.schema());
        model.put("plan", sends ? List.of(redrives.plan(chosen, wish.options.order())) : List.of());
        model.put("underWay", sends ? redrives.underWay() : List.of());
        render.page(request, "dead-letters-many", model);
    }

    private static long elsewhere(Wish wish, DeadLetterFilter chosen, Database database) {
        return wish.deed.asksTheArchive()
                ? DeadLetterArchive.in(database.viewers(), database.schema()).elsewhere(chosen)
                : 0;
    }

    private void change(Context request, Visit visit, Database database) throws InterruptedException {
        Wish wish = Wish.of(request);
        AuditContext instruction = Forms.instruction(request, visit);
        DeadLetterPart seen = seen(request);
        if (wish.asksForTheNumber()
                && !Forms.field(request, "typed").strip().replace(",", "").equals(Long.toString(seen.count()))) {
            throw new Refusal(400, "Nothing was changed: the number that was typed is not that of the dead letters.");
        }
        DeadLetterFilter chosen = seen.of(wish.letters());
        boolean asSeen = isAsSeen(wish, chosen, seen, DeadLetters.in(database.operators(), database.schema()));
        if (wish.deed == ManyDeed.REDRIVE && asSeen) {
            begin(request, wish, chosen, instruction, seen, database);
            return;
        }
        int changed = asSeen ? applied(wish, chosen, instruction, database) : 0;
        request.redirect(
                "/dead-letters?db=" + Shown.INSTANCE.url(database.name()) + "&" + wish.filter.query() + "&deed="
                        + wish.deed.word() + "&changed=" + changed + "&of=" + seen.count(),
                HttpStatus.SEE_OTHER);
    }

    // More than were shown: a transaction that was under way then, or a form that somebody has made up. Nobody has seen
    // those.
    private static boolean isAsSeen(Wish wish, DeadLetterFilter chosen, DeadLetterPart seen, DeadLetters letters) {
        DeadLetterPart there = letters.part(chosen, wish.deed.most());
        return there.count() > 0 && there.count() <= seen.count() && !there.more();
    }

    private static int applied(Wish wish, DeadLetterFilter chosen, AuditContext instruction, Database database) {
        try {
            return wish.deed.apply(database, chosen, wish.options, instruction);
        } catch (IllegalStateException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()));
        }
    }

    private void begin(
            Context request,
            Wish wish,
            DeadLetterFilter chosen,
            AuditContext instruction,
            DeadLetterPart seen,
            Database database) {
        Optional<Long> run;
        try {
            run = Redrives.in(database.operators(), database.schema())
                    .beginOnce(chosen, wish.options.order(), instruction, seen.at());
        } catch (RedriveRefusedException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()));
        }
        run.ifPresent(id -> work.take(database, id));
        String db = "db=" + Shown.INSTANCE.url(database.name());
        request.redirect(
                run.map(id -> "/redrive?" + db + "&id=" + id + "&done=redrive-begun")
                        .orElse("/redrives?" + db + "&done=redrive-twice"),
                HttpStatus.SEE_OTHER);
    }

    private void download(Context request, Visit visit, Database database) throws IOException {
        Wish wish = Wish.of(request);
        if (wish.deed != ManyDeed.EXPORT) {
            throw new Refusal(400, "This is for exports.");
        }
        checkExport(wish);
        DeadLetterPart seen = seen(request);
        DeadLetterFilter chosen = seen.of(wish.letters());
        if (!isAsSeen(wish, chosen, seen, DeadLetters.in(database.viewers(), database.schema()))) {
            throw new Refusal(409, "Nothing was exported: they are not any more as you saw them. Look at them again.");
        }
        export.send(request, visit, database, chosen);
    }

    private void checkExport(Wish wish) {
        if (wish.deed == ManyDeed.EXPORT && !mask.isEmpty()) {
            throw new Refusal(
                    403,
                    "console.redact hides parts of messages, and a file would have them. Use 'waybill-relay dlq export'.");
        }
    }

    private static DeadLetterPart seen(Context request) {
        try {
            return new DeadLetterPart(
                    Long.parseLong(Forms.field(request, "count")),
                    false,
                    Long.parseLong(Forms.field(request, "last")),
                    Instant.parse(Forms.field(request, "at")));
        } catch (NumberFormatException | DateTimeException e) {
            throw new Refusal(400, "The form is not one of this console.");
        }
    }
}
