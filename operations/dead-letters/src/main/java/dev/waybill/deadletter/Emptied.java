package dev.waybill.deadletter;

/** The reason why a dead letter cannot be sent as it came. */
public enum Emptied {
    /** Its content, or a part of it, was taken out. */
    REDACTED,
    /** It was imported from an export of an archived one, which has no body. */
    WITHOUT_BODY
}
