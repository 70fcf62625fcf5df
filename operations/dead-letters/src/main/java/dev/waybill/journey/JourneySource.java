package dev.waybill.journey;

import dev.waybill.journey.Journey.Part;

/** The statements that read what tables know of messages, and the part of a journey that each is. */
enum JourneySource {
    OUTBOX(Part.OUTBOX_ROWS, "outbox"),
    PUBLISHED(Part.OUTBOX_ROWS, "published"),
    SCHEDULED(Part.OUTBOX_ROWS, "scheduled"),
    CANCELLED(Part.OUTBOX_ROWS, "cancelled"),
    FAILOVER(Part.OUTBOX_ROWS, "failover"),
    HELD(Part.HOLDS, "held"),
    EVENTS(Part.EVENTS, "events"),
    HANDLED(Part.CONSUMERS, "handled"),
    DEFERRED(Part.CONSUMERS, "deferred"),
    LETTERS(Part.DEAD_LETTERS, "letters"),
    LETTER_AUDIT(Part.DEAD_LETTERS, "letter-audit"),
    HELD_AUDIT(Part.HOLDS, "held-audit"),
    HOLD_DECISIONS(Part.HOLDS, "hold-decisions");

    private final Part part;
    private final String statement;

    JourneySource(Part part, String statement) {
        this.part = part;
        this.statement = statement;
    }

    Part part() {
        return part;
    }

    String statement() {
        return statement;
    }
}
