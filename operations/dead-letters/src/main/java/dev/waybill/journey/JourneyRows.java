package dev.waybill.journey;

import java.util.List;
import java.util.stream.Stream;

/** The rows of all tables, before they are put together. */
record JourneyRows(Outbox outbox, Inbox inbox, Letters letters, List<JourneyRow> events, List<JourneyRow> held) {
    /**
     * Of the outbox.
     *
     * @param published those that are retained
     */
    record Outbox(
            List<JourneyRow> messages,
            List<JourneyRow> published,
            List<JourneyRow> scheduled,
            List<JourneyRow> cancelled) {}

    /** Of the inbox. */
    record Inbox(List<JourneyRow> handled, List<JourneyRow> deferred) {}

    /** Of dead letters. */
    record Letters(List<JourneyRow> messages, List<JourneyRow> audit) {}

    /**
     * The deeds of operators to holds.
     *
     * @param messages each one skipped or edited
     * @param holds whole ones let go
     * @param isCut whether more was done to messages
     */
    record HoldAudit(List<JourneyRow> messages, List<JourneyRow> holds, boolean isCut) {}

    /** The ids of the holds in which the messages stood. */
    String[] holds() {
        return Stream.concat(events.stream(), held.stream())
                .flatMap(row -> Stream.ofNullable(row.number("hold_id")))
                .distinct()
                .map(String::valueOf)
                .toArray(String[]::new);
    }

    /** Those that may tell of copies on the broker. */
    Stream<JourneyRow> ofCopies() {
        return Stream.of(letters.messages, events, held, inbox.deferred).flatMap(List::stream);
    }

    /** Those that name a session. */
    Stream<JourneyRow> ofSessions() {
        return Stream.of(
                        outbox.messages,
                        outbox.published,
                        outbox.scheduled,
                        inbox.deferred,
                        letters.messages,
                        events,
                        held)
                .flatMap(List::stream)
                .filter(row -> row.textOrNull("session_id") != null);
    }
}
