package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.deadletter.RedriveRefusedException;
import dev.waybill.deadletter.RedriveRequest;
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
import dev.waybill.standalone.database.DatabaseFailure;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** One dead letter with its history and actions. */
final class LetterPage {
    private final SignIn.Render render;
    private final ContentMask mask;

    LetterPage(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/dead-letter", ConsoleRole.VIEWER, this::show);
        routes.change("/dead-letter/discard", ConsoleRole.OPERATOR, this::discard);
        routes.change("/dead-letter/reopen", ConsoleRole.OPERATOR, this::reopen);
        routes.change("/dead-letter/redrive", ConsoleRole.OPERATOR, this::redrive);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        var letters = DeadLetters.in(database.viewers(), database.schema());
        long id = id(Forms.parameter(request, "id"));
        DeadLetter letter = letter(letters, id);
        boolean mayAct = visit.person().rights().allows(ConsoleRole.OPERATOR, database.name());
        boolean open = letter.state() == DeadLetter.State.OPEN;
        var model = new HashMap<String, Object>(Map.of(
                "id",
                id,
                "letter",
                letter,
                "state",
                letter.state().name().toLowerCase(Locale.ROOT),
                "properties",
                properties(letter),
                "changes",
                changes(letters.diff(id), mayAct),
                "history",
                letters.history(id),
                "mayAct",
                mayAct,
                "maySend",
                mayAct && open,
                "mayDiscard",
                mayAct && (open || letter.state() == DeadLetter.State.QUARANTINED),
                "mayReopen",
                mayAct && isReopened(letter.state())));
        model.put(
                "mayEdit",
                mayAct
                        && (open || letter.state() == DeadLetter.State.QUARANTINED)
                        && letter.lifecycle().emptied() == null);
        model.put("seen", mark(letter));
        model.put("mask", mask);
        model.put("bytes", letter.content().body().length);
        model.put("plan", mayAct && open ? List.of(plan(database, id)) : List.of());
        render.page(request, "dead-letter", model);
    }

    private static boolean isReopened(DeadLetter.State state) {
        return state == DeadLetter.State.DISCARDED
                || state == DeadLetter.State.REDRIVEN
                || state == DeadLetter.State.QUARANTINED;
    }

    // Values may be of any size, so the page shows their beginning.
    private Map<String, String> properties(DeadLetter letter) {
        var shown = new TreeMap<String, String>();
        letter.content()
                .properties()
                .forEach((name, value) -> shown.put(
                        name, mask.hides("property:" + name) ? ContentMask.HIDDEN : Formats.INSTANCE.beginning(value)));
        return shown;
    }

    private List<FieldChange> changes(List<FieldChange> changes, boolean mayRead) {
        return changes.stream()
                .map(mask::shown)
                .map(change -> change.field().equals("body") && !mayRead
                        ? new FieldChange("body", "not shown", "not shown")
                        : change)
                .toList();
    }

    private static RedrivePlan plan(Database database, long id) {
        return Redrives.in(database.viewers(), database.schema())
                .plan(DeadLetterFilter.id(id), RedriveRequest.toSource());
    }

    private void discard(Context request, SignedInRequest visit, Database database) {
        change(
                request,
                visit,
                database,
                "letter-discarded",
                (letters, filter, instruction) ->
                        letters.discard(filter.in(DeadLetter.State.OPEN, DeadLetter.State.QUARANTINED), instruction));
    }

    private void reopen(Context request, SignedInRequest visit, Database database) {
        change(
                request,
                visit,
                database,
                "letter-reopened",
                (letters, filter, instruction) ->
                        letters.reopen(filter, instruction) + letters.release(filter, instruction));
    }

    private void redrive(Context request, SignedInRequest visit, Database database) {
        change(
                request,
                visit,
                database,
                "letter-redriven",
                (letters, filter, instruction) ->
                        redriven(Redrives.in(database.operators(), database.schema()), filter, instruction));
    }

    private static int redriven(Redrives redrives, DeadLetterFilter filter, AuditContext instruction)
            throws InterruptedException {
        long run;
        try {
            run = redrives.begin(filter, RedriveRequest.toSource(), instruction);
        } catch (RedriveRefusedException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()));
        }
        try {
            return redrives.finish(run).redriven();
        } catch (DataAccessException e) {
            throw new Refusal(
                    503,
                    "Re-drive " + run + " is begun and not at its end: " + DatabaseFailure.why(e)
                            + ". 'waybill-relay dlq resume " + run + "' takes it on.");
        }
    }

    /** Changes the letter that the person saw; returns the number of changed letters. */
    @FunctionalInterface
    private interface Change {
        int apply(DeadLetters letters, DeadLetterFilter filter, AuditContext instruction) throws InterruptedException;
    }

    private static void change(Context request, SignedInRequest visit, Database database, String done, Change change) {
        long id = id(Forms.field(request, "id"));
        AuditContext instruction = Forms.instruction(request, visit);
        var letters = DeadLetters.in(database.operators(), database.schema());
        DeadLetter letter = letter(letters, id);
        boolean same = mark(letter).equals(Forms.field(request, "seen"));
        int changed = same ? applied(change, letters, unchanged(letter), instruction) : 0;
        String address = "/dead-letter?db=" + Formats.INSTANCE.url(database.name()) + "&id=" + id;
        request.redirect(address + "&done=" + (changed == 1 ? done : "letter-changed"), HttpStatus.SEE_OTHER);
    }

    // The filter also detects an edit that commits while this change waits for it.
    private static DeadLetterFilter unchanged(DeadLetter letter) {
        return new DeadLetters.Part(1, false, letter.id(), letter.lifecycle().changedAt())
                .of(DeadLetterFilter.id(letter.id()));
    }

    private static int applied(Change change, DeadLetters letters, DeadLetterFilter filter, AuditContext instruction) {
        try {
            return change.apply(letters, filter, instruction);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(503, "The console is stopping. Continue the re-drive with 'waybill-relay dlq resume'.");
        }
    }

    // The version that the person saw.
    static String mark(DeadLetter letter) {
        return letter.state() + " " + letter.lifecycle().version() + " "
                + letter.lifecycle().changedAt();
    }

    static DeadLetter letter(DeadLetters letters, long id) {
        return letters.show(id).orElseThrow(() -> new Refusal(404, "There is no dead letter " + id + "."));
    }

    static long id(@Nullable String text) {
        if (text == null || !text.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "The id of a dead letter is a number.");
        }
        return Long.parseLong(text);
    }
}
