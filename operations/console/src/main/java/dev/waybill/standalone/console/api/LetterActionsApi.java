package dev.waybill.standalone.console.api;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRefusedException;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.DatabaseFailure;
import io.javalin.http.Context;
import java.util.List;
import org.jooq.exception.DataAccessException;

/** Changes of one dead letter. A repeated request changes nothing. */
final class LetterActionsApi {
    private final ContentMask mask;

    LetterActionsApi(ContentMask mask) {
        this.mask = mask;
    }

    void register(ApiRoutes routes) {
        routes.post(
                "/dead-letters/{id}/redrive",
                (request, visit, database) -> change(
                        request,
                        visit,
                        database,
                        DeadLetter.State.REDRIVEN,
                        (letters, filter, instruction) ->
                                redriven(Redrives.in(database.operators(), database.schema()), filter, instruction)));
        routes.post(
                "/dead-letters/{id}/discard",
                (request, visit, database) ->
                        change(request, visit, database, DeadLetter.State.DISCARDED, LetterActionsApi::discarded));
        routes.post(
                "/dead-letters/{id}/reopen",
                (request, visit, database) ->
                        change(request, visit, database, DeadLetter.State.OPEN, LetterActionsApi::reopened));
    }

    @FunctionalInterface
    private interface Change {
        int apply(DeadLetters letters, DeadLetterFilter filter, AuditContext instruction) throws InterruptedException;
    }

    private static int discarded(DeadLetters letters, DeadLetterFilter filter, AuditContext instruction) {
        return letters.discard(filter.in(DeadLetter.State.OPEN, DeadLetter.State.QUARANTINED), instruction);
    }

    private static int reopened(DeadLetters letters, DeadLetterFilter filter, AuditContext instruction) {
        return letters.reopen(filter, instruction) + letters.release(filter, instruction);
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

    // The filter also detects an edit that commits while this change waits for it.
    private static DeadLetterFilter unchanged(DeadLetter letter) {
        return new DeadLetters.Part(1, false, letter.id(), letter.lifecycle().changedAt())
                .of(DeadLetterFilter.id(letter.id()));
    }

    private void change(Context request, SignedInRequest visit, Database database, DeadLetter.State then, Change change)
            throws InterruptedException {
        AuditContext instruction = Requests.instruction(Json.read(request, List.of("reason")), visit);
        String seen = Requests.seen(request);
        var letters = DeadLetters.in(database.operators(), database.schema());
        long id = Requests.number(request.pathParam("id"));
        DeadLetter letter = LettersApi.letter(letters, id);
        boolean changed = letter.state() != then;
        if (changed
                && !(Requests.tag(LettersApi.mark(letter)).equals(seen)
                        && change.apply(letters, unchanged(letter), instruction) == 1)) {
            throw Requests.changed();
        }
        DeadLetter now = LettersApi.letter(letters, id);
        request.header("ETag", Requests.tag(LettersApi.mark(now)));
        Json.answer(request, Json.row("changed", changed, "deadLetter", LettersApi.row(now, mask)));
    }
}
