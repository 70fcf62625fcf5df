package dev.waybill.inbox;

/** What an exception means for its message. */
public enum FailureKind {
    /** The message is not the cause, for example of a deadlock. The consumer retries it and never counts it as failed. */
    TRANSIENT,
    /** A retry cannot help. The message fails at once. */
    PERMANENT,
    /** A retry may help. The message fails when {@link RetryPolicy#maxInPlace} is over. */
    UNKNOWN
}
