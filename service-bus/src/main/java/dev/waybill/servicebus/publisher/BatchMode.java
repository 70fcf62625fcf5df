package dev.waybill.servicebus.publisher;

/** Which messages of a lane may share a batch. Both modes keep the order of each session. */
public enum BatchMode {
    /** Any messages that fit: the fewest sends. A lane has one batch in flight. */
    MIXED,

    /**
     * Messages of one session, or of one partition key without session. A lane has up to eight batches in flight. Required for
     * partitioned entities, which reject batches of several sessions; useful if few sessions have many messages.
     */
    PER_SESSION
}
