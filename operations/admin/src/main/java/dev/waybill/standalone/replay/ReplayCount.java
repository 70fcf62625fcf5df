package dev.waybill.standalone.replay;

/**
 * The size of a replay.
 *
 * @param published messages to publish again; without those whose time to live is over
 * @param pending matching messages in the outbox; they are not replayed
 * @param sessions of the published messages
 * @param missingBodies published messages whose claimed body was removed
 * @param firstSeq 0 without messages
 * @param lastSeq 0 without messages
 */
public record ReplayCount(
        long published, long pending, long sessions, long missingBodies, long firstSeq, long lastSeq) {}
