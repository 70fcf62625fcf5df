package dev.waybill.relay;

/** What the relay holds when the broker refuses a message of a session. */
public enum HoldPolicy {
    /** The session from this message on. Keeps the order until an operator decides. */
    HOLD_SESSION,
    /** This message only. Later messages of its session overtake it. */
    HOLD_MESSAGE
}
