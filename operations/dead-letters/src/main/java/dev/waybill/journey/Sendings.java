package dev.waybill.journey;

import dev.waybill.journey.Journey.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When rows of the outbox must have been sent, of which no row tells: by their cursors, and by who has had them. */
final class Sendings {
    private final Copies copies;
    private final Recorded recorded;
    private final Lanes lanes;
    private final Map<String, Integer> rows = new HashMap<>();
    private final Map<String, List<Instant>> handled = new HashMap<>();

    Sendings(Rows all, Copies copies, Recorded recorded) {
        this.copies = copies;
        this.recorded = recorded;
        lanes = all.outbox().lanes();
        all.outbox().messages().forEach(row -> rows.merge(row.text("message_id"), 1, Integer::sum));
        all.inbox()
                .handled()
                .forEach(row -> handled.computeIfAbsent(row.text("message_id"), id -> new ArrayList<>())
                        .add(row.at()));
    }

    /**
     * A sending.
     *
     * @param by the latest that it may have been
     * @param since the earliest
     * @param order before whatever follows from it
     */
    record Sending(Instant by, Instant since, Instant order, String because) {}

    /** Nothing if the row waits. */
    @Nullable Sending of(Trail row) {
        @Nullable Instant met = met(row);
        @Nullable Sending byCursor = byCursor(row);
        if (met != null && tellsOfSending(row, met) && (byCursor == null || met.isBefore(byCursor.by))) {
            Instant since = byCursor == null || byCursor.since.isAfter(met) ? row.at() : byCursor.since;
            return new Sending(met, since, met, "a consumer had it by then");
        }
        if (byCursor == null || met == null || !met.isBefore(byCursor.by)) {
            return byCursor;
        }
        return new Sending(byCursor.by, byCursor.since, met, byCursor.because);
    }

    private @Nullable Sending byCursor(Trail row) {
        @Nullable Instant last = row.time("passed");
        if (last == null) {
            return null;
        }
        Lanes.Passage passage = lanes.passage(row);
        Instant passed = later(passage.passed() == null ? last : passage.passed(), row.at());
        @Nullable Instant notBefore = passage.notBefore();
        Instant since = notBefore == null || !notBefore.isBefore(passed) ? row.at() : later(notBefore, row.at());
        // Cursors pass held rows too. Of a stay in a hold that was over by then, nothing may be left.
        @Nullable Instant known = recorded.state() == Recorded.State.RECORDED ? recorded.since() : row.time("now");
        if (known == null || passed.isAfter(known)) {
            return new Sending(passed, since, passed, "the cursor of its lane had passed it by then");
        }
        String because = "the cursor of its lane has passed it, and whether it stood in a hold until then is forgotten";
        return new Sending(known, since, known, because);
    }

    private @Nullable Instant met(Trail row) {
        @Nullable Instant met = copies.firstMet(row.text("message_id"), row.at());
        for (Instant at : handled.getOrDefault(row.text("message_id"), List.of())) {
            met = at.isAfter(row.at()) && (met == null || at.isBefore(met)) ? at : met;
        }
        return met;
    }

    // A handler may send on what it was given under the same id: what a consumer has may be what came in. Nor was it
    // sent by then if the cursor was recorded later and has not passed it.
    private boolean tellsOfSending(Trail row, Instant met) {
        String message = row.text("message_id");
        @Nullable Instant notBefore = row.time("not_before");
        return rows.getOrDefault(message, 0) == 1
                && !copies.wasMet(message, row.at())
                && handled.getOrDefault(message, List.of()).stream().noneMatch(at -> !at.isAfter(row.at()))
                && (notBefore == null || !notBefore.isAfter(met));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
