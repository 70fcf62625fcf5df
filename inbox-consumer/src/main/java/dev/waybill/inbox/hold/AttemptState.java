package dev.waybill.inbox.hold;

/** Whether an attempt at a hold continues with the hold's next message. */
enum AttemptState {
    /** The message has left the hold. */
    OPEN,
    /** The attempt is settled, or another process has it. */
    ENDED
}
