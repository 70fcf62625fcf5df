package dev.waybill.inbox;

/** The policy for a finally failed message and for later messages of its session. */
public enum OnFailure {
    /** Dead-letters the message. Its session continues, so later messages overtake it. */
    DEAD_LETTER,
    /** Holds the message until an operator decides. Later messages of its session wait behind it, in order. Needs sessions. */
    HOLD_SESSION
}
