package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.journey.Journey;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.SearchTerm;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.MessageSearch.Answer;
import dev.waybill.standalone.database.MessageSearch.Wanted;
import dev.waybill.standalone.message.TraceTexts;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds messages by their ids and shows their traces. */
final class MessagesPage {
    private static final int MOST_ENTRIES = 200;
    private static final int MOST_SESSIONS = 5;
    private static final int MOST_FOUND = 50;
    private static final int LONGEST = 1_000;
    private static final int AT_A_TIME = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SignIn.Render render;
    private final ContentMask mask;

    /** A search scans the outbox without an index, so only a few run at a time. */
    private final Semaphore searches = new Semaphore(AT_A_TIME);

    private final ContentSearch contents;

    MessagesPage(SignIn.Render render, ContentMask mask, ContentSearch contents) {
        this.mask = mask;
        this.render = render;
        this.contents = contents;
    }

    void register(Routes routes) {
        routes.page("/messages", ConsoleRole.VIEWER, this::show);
    }

    record Choice(String word, String label) {
        static final List<Choice> ALL = List.of(
                new Choice("message", "Message id"),
                new Choice("session", "Session"),
                new Choice("broker-id", "MessageId on the broker"),
                new Choice("trace-id", "Trace id"));

        /** Searches without an index. */
        static final List<Choice> CONTENTS =
                List.of(new Choice("subject", "Subject"), new Choice("property", "Property, as name=value"));

        static final List<Choice> BOTH =
                Stream.concat(ALL.stream(), CONTENTS.stream()).toList();
    }

    private void show(Context request, SignedInRequest visit, Database database) throws InterruptedException {
        String text = Forms.parameter(request, "text");
        String by = Forms.parameter(request, "by");
        if (Choice.CONTENTS.stream().anyMatch(choice -> choice.word.equals(by)) && !text.isBlank()) {
            byContents(request, by, text, database);
            return;
        }
        SearchTerm.Kind kind = kind(by.isEmpty() || text.isBlank() ? "message" : by);
        var model = new HashMap<String, Object>(Map.of(
                "choices",
                Choice.BOTH,
                "by",
                TraceTexts.name(kind),
                "text",
                text,
                "searched",
                !text.isBlank(),
                "entries",
                List.of(),
                "elsewhere",
                List.of(),
                "sessions",
                List.of(),
                "leftOut",
                "",
                "recorded",
                ""));
        if (!text.isBlank()) {
            boolean mayRead = visit.person().rights().allows(ConsoleRole.OPERATOR, database.name());
            model.putAll(found(search(new SearchTerm(kind, shortened(text)), database), mayRead));
        }
        render.page(request, "messages", model);
    }

    private void byContents(Context request, String by, String text, Database database) throws InterruptedException {
        int sign = text.indexOf('=');
        if (by.equals("property") && sign < 1) {
            throw new Refusal(400, "Give a property as name=value.");
        }
        Wanted wanted = by.equals("property")
                ? contents.wanted(Optional.of(text.substring(0, sign).strip()), text.substring(sign + 1))
                : contents.wanted(Optional.empty(), text);
        String before = Forms.parameter(request, "before");
        Answer answer = contents.search(wanted, ContentSearch.place(before), MOST_FOUND, database);
        render.page(
                request,
                "messages-found",
                new HashMap<>(Map.of(
                        "choices",
                        Choice.BOTH,
                        "by",
                        by,
                        "text",
                        text,
                        "answer",
                        answer,
                        "first",
                        before.isEmpty(),
                        "next",
                        ContentSearch.text(answer.next()),
                        "mask",
                        mask)));
    }

    private Map<String, Object> found(Journey journey, boolean mayRead) {
        return Map.of(
                "entries",
                journey.entries().stream()
                        .map(entry -> TraceLine.of(entry, mayRead, mask))
                        .toList(),
                "sessions",
                journey.entries().stream()
                        .flatMap(entry -> Optional.ofNullable(entry.place().session()).stream())
                        .distinct()
                        .limit(MOST_SESSIONS)
                        .toList(),
                "elsewhere",
                Choice.ALL.stream()
                        .filter(choice -> journey.elsewhere().contains(kind(choice.word())))
                        .toList(),
                "leftOut",
                TraceTexts.leftOut(journey),
                "recorded",
                TraceTexts.recorded(journey.record().state()));
    }

    private Journey search(SearchTerm sought, Database database) throws InterruptedException {
        if (!searches.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new Refusal(503, "Another search is running. Try again.");
        }
        try {
            return Journeys.in(database.viewers(), database.schema())
                    .within(PATIENCE)
                    .of(sought, MOST_ENTRIES);
        } finally {
            searches.release();
        }
    }

    private static String shortened(String text) {
        if (text.length() > LONGEST) {
            throw new Refusal(400, "No name of a message has more than " + LONGEST + " characters.");
        }
        return text;
    }

    private static SearchTerm.Kind kind(String word) {
        try {
            return SearchTerm.Kind.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "Messages are looked for by message, session, broker-id or trace-id.");
        }
    }
}
