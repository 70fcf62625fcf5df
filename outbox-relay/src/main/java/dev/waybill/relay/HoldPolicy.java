package dev.waybill.relay;

/** Decides about the rest of a session when one of its messages is refused. */
public enum HoldPolicy {
    /** The session is held from this message on: its order is kept, and an operator decides. */
    HOLD_SESSION,
    /** The message alone is held and the session goes on: what comes later overtakes it. */
    HOLD_MESSAGE
}
