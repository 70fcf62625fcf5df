package dev.waybill.journey;

import java.util.List;
import java.util.stream.Stream;

/** The rows of all tables, before they are put together. */
record Rows(Outbox outbox, Inbox inbox, Letters letters, List<Trail> events, List<Trail> held) {
    /**
     * Of the outbox.
     *
     * @param published those that are retained
     */
    record Outbox(List<Trail> messages, List<Trail> published, List<Trail> scheduled, List<Trail> cancelled) {}

    /** Of the inbox. */
    record Inbox(List<Trail> handled, List<Trail> deferred) {}

    /** Of dead letters. */
    record Letters(List<Trail> messages, List<Trail> audit) {}

    /**
     * The deeds of operators to holds.
     *
     * @param messages each one skipped or edited
     * @param holds whole ones let go
     * @param isCut whether more was done to messages
     */
    record HoldAudit(List<Trail> messages, List<Trail> holds, boolean isCut) {}

    /** The ids of the holds in which the messages stood. */
    String[] holds() {
        return Stream.concat(events.stream(), held.stream())
                .flatMap(row -> Stream.ofNullable(row.number("hold_id")))
                .distinct()
                .map(String::valueOf)
                .toArray(String[]::new);
    }

    /** Those that may tell of copies on the broker. */
    Stream<Trail> ofCopies() {
        return Stream.of(letters.messages, events, held, inbox.deferred).flatMap(List::stream);
    }

    /** Those that name a session. */
    Stream<Trail> ofSessions() {
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
