package dev.waybill.inbox;

/** Decides about a message that has failed for good, and about the session behind it. */
public enum OnFailure {
    /** It goes to the broker's dead-letter queue, and its session goes on: what comes later overtakes it. */
    DEAD_LETTER,
    /**
     * It waits in the database for an operator, and every later message of its session waits behind it, in order;
     * other sessions go on. Needs an entity with sessions.
     */
    HOLD_SESSION
}
