package dev.waybill.deadletter;

/** The state of a dead letter. */
public enum DeadLetterState {
    /** Somebody has to decide. */
    OPEN,
    /** It was re-driven too often; an operator must let it go before anything can happen to it again. */
    QUARANTINED,
    /** A copy is in the outbox or with the consumer. */
    REDRIVEN,
    /** Nothing more is to happen. */
    DISCARDED,
    /** Its body is in the archive. */
    ARCHIVED
}
