package dev.waybill.journey;

import java.util.List;
import java.util.stream.Stream;

/** The rows of all tables. */
record JourneyRows(Outbox outbox, Inbox inbox, Letters letters, List<JourneyRow> events, List<JourneyRow> held) {
    record Outbox(
            List<JourneyRow> messages,
            List<JourneyRow> published,
            List<JourneyRow> scheduled,
            List<JourneyRow> cancelled,
            List<JourneyRow> failovers) {}

    record Inbox(List<JourneyRow> handled, List<JourneyRow> deferred) {}

    record Letters(List<JourneyRow> messages, List<JourneyRow> audit) {}

    /** Decisions of operators about messages in holds and about holds; cut if some about messages are missing. */
    record HoldAudit(List<JourneyRow> messages, List<JourneyRow> holds, boolean isCut) {}

    String[] holds() {
        return Stream.concat(events.stream(), held.stream())
                .flatMap(row -> Stream.ofNullable(row.number("hold_id")))
                .distinct()
                .map(String::valueOf)
                .toArray(String[]::new);
    }

    Stream<JourneyRow> ofCopies() {
        return Stream.of(letters.messages, events, held, inbox.deferred).flatMap(List::stream);
    }

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
