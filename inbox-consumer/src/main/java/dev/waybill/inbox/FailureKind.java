package dev.waybill.inbox;

/** The meaning of an exception for the message that was being handled. */
public enum FailureKind {
    /**
     * The message is not to blame (a deadlock, a database that is away): it is tried again and never counts as
     * failed.
     */
    TRANSIENT,
    /** Trying again cannot help: the message has failed at once. */
    PERMANENT,
    /** Trying again may help; once the time for retries in place is over, the message has failed. */
    UNKNOWN
}
