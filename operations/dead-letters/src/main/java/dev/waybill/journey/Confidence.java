package dev.waybill.journey;

/** How an entry of a journey is known. */
public enum Confidence {
    /** A row says so. */
    KNOWN,
    /** No row says so, but the rows that are there allow nothing else. */
    INFERRED,
    /** It must have been recorded once, and is not there any more. */
    FORGOTTEN
}
