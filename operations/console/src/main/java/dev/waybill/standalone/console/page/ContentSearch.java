package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.MessageSearch;
import dev.waybill.standalone.database.MessageSearch.Answer;
import dev.waybill.standalone.database.MessageSearch.Place;
import dev.waybill.standalone.database.MessageSearch.Wanted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Searches messages by subject or property, one search at a time. Thread-safe. */
public final class ContentSearch {
    private static final int LONGEST = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Semaphore one = new Semaphore(1);
    private final ContentMask mask;

    public ContentSearch(ContentMask mask) {
        this.mask = mask;
    }

    /**
     * The search term.
     *
     * @throws Refusal if the property is masked: the result would reveal its value
     */
    public Wanted wanted(Optional<String> property, String text) {
        if (mask.hides(property.map(name -> "property:" + name).orElse("subject"))) {
            throw new Refusal(403, "console.redact masks this property, so it cannot be searched.");
        }
        if (text.length() > LONGEST
                || property.filter(name -> name.length() > LONGEST).isPresent()) {
            throw new Refusal(400, "What is looked for has " + LONGEST + " characters at most.");
        }
        return new Wanted(property, text);
    }

    /** Scans the newest range, or the range before a place. */
    public Answer search(Wanted wanted, @Nullable Place before, int most, Database database)
            throws InterruptedException {
        if (!one.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new Refusal(503, "Another search is running. Try again.");
        }
        try {
            return new MessageSearch(database.viewers(), database.schema(), PATIENCE).search(wanted, before, most);
        } finally {
            one.release();
        }
    }

    /** The place as a text for addresses. */
    public static String text(@Nullable Place place) {
        return place == null ? "" : place.position() + "~" + place.letter() + "~" + place.hold() + "~" + place.inHold();
    }

    /** Parses a place; null for the empty text. */
    public static @Nullable Place place(String text) {
        if (text.isEmpty()) {
            return null;
        }
        String[] parts = text.split("~", -1);
        if (parts.length != 4) {
            throw new Refusal(400, "The parameter before must come from an earlier answer.");
        }
        return new Place(
                Forms.number(parts[0]), Forms.number(parts[1]), Forms.number(parts[2]), Forms.number(parts[3]));
    }
}
