package dev.waybill.servicebus.publisher;

/** Which messages of a lane may share a batch. Their order within a session is the same either way. */
public enum BatchMode {
    /** Any that fit: the fewest sends. One batch of a lane is on its way at a time. */
    MIXED,

    /**
     * Only those of one session, or of one partition key where there is no session. Up to eight batches of a lane are on
     * their way at a time. Needed for partitioned entities, which refuse a batch of several sessions; worthwhile where few
     * sessions have many messages each.
     */
    PER_SESSION
}
