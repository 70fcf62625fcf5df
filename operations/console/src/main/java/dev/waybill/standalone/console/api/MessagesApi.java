package dev.waybill.standalone.console.api;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.journey.Journey;
import dev.waybill.journey.JourneyEntry;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.SearchTerm;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.ContentSearch;
import dev.waybill.standalone.database.MessageSearch;
import dev.waybill.standalone.message.TraceTexts;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds messages and returns their traces. */
final class MessagesApi {
    private static final int MOST_ENTRIES = 200;
    private static final int LONGEST = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** A search scans the outbox without an index, so the API runs one at a time. */
    private final Semaphore searches = new Semaphore(1);

    private final ContentMask mask;

    private final ContentSearch contents;

    MessagesApi(ContentMask mask, ContentSearch contents) {
        this.mask = mask;
        this.contents = contents;
    }

    void register(ApiRoutes routes) {
        routes.get("/messages", this::show);
        routes.get("/messages/search", this::find);
    }

    private void show(Context request, SignedInRequest visit, Database database) throws InterruptedException {
        String text = Requests.required(request, "text");
        if (text.length() > LONGEST) {
            throw new Refusal(400, "No name of a message has more than " + LONGEST + " characters.");
        }
        Journey journey =
                search(new SearchTerm(kind(Requests.text(request, "by").orElse("message")), text), database);
        Json.answer(
                request,
                Json.row(
                        "by",
                        journey.term().kind(),
                        "text",
                        text,
                        "recorded",
                        journey.record().state(),
                        "forgottenBefore",
                        journey.record().since(),
                        "leftOut",
                        journey.leftOut().stream()
                                .sorted()
                                .map(TraceTexts::name)
                                .toList(),
                        "entries",
                        journey.entries().stream().map(this::row).toList()));
    }

    private void find(Context request, SignedInRequest visit, Database database) throws InterruptedException {
        MessageSearch.Answer answer = contents.search(
                contents.wanted(Requests.text(request, "property"), Requests.required(request, "text")),
                ContentSearch.place(Requests.text(request, "before").orElse("")),
                Requests.most(request),
                database);
        Json.answer(
                request,
                Json.row(
                        "found",
                        answer.found().stream().map(this::row).toList(),
                        "cut",
                        answer.cut(),
                        "outboxRows",
                        answer.looked().rows(),
                        "since",
                        answer.looked().since(),
                        "deadLetters",
                        answer.looked().letters(),
                        "heldMessages",
                        answer.looked().held(),
                        "before",
                        answer.next() == null ? null : ContentSearch.text(answer.next())));
    }

    private Map<String, @Nullable Object> row(MessageSearch.Found found) {
        return Json.row(
                "kind", found.kind(),
                "place", found.place(),
                "message", found.message(),
                "session", found.named().session(),
                "subject", Json.shown(mask, "subject", found.named().subject()),
                "at", found.at());
    }

    private Journey search(SearchTerm sought, Database database) throws InterruptedException {
        if (!searches.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new Refusal(503, "Another search is running.");
        }
        try {
            return Journeys.in(database.viewers(), database.schema())
                    .within(PATIENCE)
                    .of(sought, MOST_ENTRIES);
        } finally {
            searches.release();
        }
    }

    private static SearchTerm.Kind kind(String word) {
        try {
            return SearchTerm.Kind.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "Messages are looked for by message, session, broker-id or trace-id.");
        }
    }

    private Map<String, @Nullable Object> row(JourneyEntry entry) {
        return Json.row(
                "at", entry.time().at(),
                "since", entry.time().since(),
                "clock", entry.time().clock(),
                "step", entry.step(),
                "confidence", entry.confidence(),
                "place", entry.place().name(),
                "message", entry.place().message(),
                "session", entry.place().session(),
                "details", details(entry));
    }

    private Map<String, String> details(JourneyEntry entry) {
        var details = new LinkedHashMap<>(entry.details());
        details.replaceAll((name, text) -> mask.hides(name) ? ContentMask.HIDDEN : text);
        return details;
    }
}
