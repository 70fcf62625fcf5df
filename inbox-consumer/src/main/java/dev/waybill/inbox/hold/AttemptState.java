package dev.waybill.inbox.hold;

/** Whether an attempt at a hold goes on with the hold's next message. */
enum AttemptState {
    /** The message has left the hold. */
    OPEN,
    /** The attempt was settled, or is somebody else's. */
    ENDED
}
