package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.journey.Journey;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.Sought;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.Visit;
import dev.waybill.standalone.message.JourneyWords;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Looks for messages by one of their names, and shows their journey. */
final class MessagesPage {
    private static final int MOST_ENTRIES = 200;
    private static final int MOST_SESSIONS = 5;
    private static final int LONGEST = 1_000;
    private static final int AT_A_TIME = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SignIn.Render render;
    private final ContentMask mask;

    /** A search reads the outbox without an index by id: a few at a time, whoever asks. */
    private final Semaphore searches = new Semaphore(AT_A_TIME);

    MessagesPage(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/messages", ConsoleRole.VIEWER, this::show);
    }

    /** A way to look for something. */
    record Choice(String word, String label) {
        static final List<Choice> ALL = List.of(
                new Choice("message", "Message id"),
                new Choice("session", "Session"),
                new Choice("broker-id", "MessageId on the broker"),
                new Choice("trace-id", "Trace id"));
    }

    private void show(Context request, Visit visit, Database database) throws InterruptedException {
        String text = Forms.parameter(request, "text").strip();
        String by = Forms.parameter(request, "by");
        Sought.Kind kind = kind(by.isEmpty() ? "message" : by);
        var model = new HashMap<String, Object>(Map.of(
                "choices",
                Choice.ALL,
                "by",
                JourneyWords.name(kind),
                "text",
                text,
                "searched",
                !text.isEmpty(),
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
        if (!text.isEmpty()) {
            boolean mayRead = visit.person().rights().allows(ConsoleRole.OPERATOR, database.name());
            model.putAll(found(search(new Sought(kind, shortened(text)), database), mayRead));
        }
        render.page(request, "messages", model);
    }

    private Map<String, Object> found(Journey journey, boolean mayRead) {
        return Map.of(
                "entries",
                journey.entries().stream()
                        .map(entry -> JourneyLine.of(entry, mayRead, mask))
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
                JourneyWords.leftOut(journey),
                "recorded",
                JourneyWords.recorded(journey.record().state()));
    }

    private Journey search(Sought sought, Database database) throws InterruptedException {
        if (!searches.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new Refusal(503, "Others are searching at this moment. Try again.");
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

    private static Sought.Kind kind(String word) {
        try {
            return Sought.Kind.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "Messages are looked for by message, session, broker-id or trace-id.");
        }
    }
}
