package dev.waybill.standalone.console.api;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.schema.Page;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import io.javalin.http.Context;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters as lists, groups and single items. */
final class LettersApi {
    private static final int COUNTED = 1_000;

    private final ContentMask mask;

    LettersApi(ContentMask mask) {
        this.mask = mask;
    }

    void register(ApiRoutes routes) {
        routes.get("/dead-letters", this::list);
        routes.get("/dead-letters/groups", this::groups);
        routes.get("/dead-letters/{id}", this::show);
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        long after = Requests.number(Requests.text(request, "after").orElse("0"));
        Page<DeadLetter.Summary> page = DeadLetters.in(database.viewers(), database.schema())
                .page(filter(request), after, Requests.most(request), COUNTED);
        Json.answer(
                request,
                Json.row(
                        "deadLetters",
                        page.rows().stream().map(each -> row(each, mask)).toList(),
                        "more",
                        page.more(),
                        "counted",
                        COUNTED));
    }

    private void groups(Context request, SignedInRequest visit, Database database) {
        Page<DeadLetterGroup> page = DeadLetters.in(database.viewers(), database.schema())
                .groups(filter(request), Requests.most(request), DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON);
        Json.answer(
                request,
                Json.row("groups", page.rows().stream().map(LettersApi::row).toList(), "more", page.more()));
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        var letters = DeadLetters.in(database.viewers(), database.schema());
        DeadLetter letter = letter(letters, Requests.number(request.pathParam("id")));
        request.header("ETag", Requests.tag(mark(letter)));
        Json.answer(
                request,
                Json.row(
                        "deadLetter",
                        row(letter, mask),
                        "history",
                        letters.history(letter.id()).stream()
                                .map(each -> Json.row(
                                        "at", each.at(),
                                        "action", each.action(),
                                        "operator", each.instruction().operator(),
                                        "reason", each.instruction().reason()))
                                .toList()));
    }

    static DeadLetter letter(DeadLetters letters, long id) {
        return letters.show(id).orElseThrow(() -> new Refusal(404, "There is no dead letter " + id + "."));
    }

    static String mark(DeadLetter letter) {
        return letter.id() + " " + letter.state() + " " + letter.lifecycle().version() + " "
                + letter.lifecycle().changedAt();
    }

    private static DeadLetterFilter filter(Context request) {
        DeadLetterFilter filter = DeadLetterFilter.everything()
                .in(state(Requests.text(request, "state").orElse("open")));
        Optional<String> entity = Requests.text(request, "entity");
        Optional<String> reason = Requests.text(request, "reason");
        Optional<String> session = Requests.text(request, "session");
        Optional<String> message = Requests.text(request, "message");
        filter = entity.isPresent() ? filter.entity(entity.get()) : filter;
        filter = reason.isPresent() ? filter.reason(reason.get()) : filter;
        filter = session.isPresent() ? filter.session(session.get()) : filter;
        return message.isPresent() ? filter.messageId(message.get()) : filter;
    }

    private static DeadLetter.State state(String word) {
        try {
            return DeadLetter.State.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "A dead letter is open, quarantined, redriven, discarded or archived.");
        }
    }

    static Map<String, @Nullable Object> row(DeadLetterGroup group) {
        return Json.row(
                "entity", group.key().get(0),
                "reason", group.key().get(1),
                "count", group.count(),
                "oldestSeconds", group.oldestAge().toSeconds());
    }

    static Map<String, @Nullable Object> row(DeadLetter letter, ContentMask mask) {
        var content = letter.content();
        return row(
                new DeadLetter.Summary(
                        letter.id(),
                        letter.state(),
                        letter.provenance(),
                        new DeadLetter.Summary.About(content.messageId(), content.sessionId(), content.subject()),
                        content.body().length,
                        letter.lifecycle()),
                mask);
    }

    private static Map<String, @Nullable Object> row(DeadLetter.Summary letter, ContentMask mask) {
        return Json.row(
                "id", letter.id(),
                "state", letter.state(),
                "entity", letter.provenance().origin().entity().path(),
                "session", letter.about().sessionId(),
                "message", letter.about().messageId(),
                "subject", Json.shown(mask, "subject", letter.about().subject()),
                "bytes", letter.bytes(),
                "reason", letter.provenance().death().reason(),
                "description",
                        Json.shown(
                                mask, "description", letter.provenance().death().description()),
                "redrivesBefore", letter.lifecycle().redrives(),
                "collectedAt", letter.lifecycle().collectedAt());
    }
}
