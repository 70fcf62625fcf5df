package dev.waybill.standalone.replay;

/**
 * The size of a replay before it begins.
 *
 * @param published messages that would be sent once more
 * @param pending messages of the selection that wait in the outbox: they are not replayed, for they
 *     will come anyhow
 * @param sessions how many sessions the published ones belong to
 * @param missingBodies how many of the published ones have a body outside that is removed
 * @param firstSeq sequence value of the first published one; 0 if there is none
 * @param lastSeq sequence value of the last published one; 0 if there is none
 */
public record ReplayCount(
        long published, long pending, long sessions, long missingBodies, long firstSeq, long lastSeq) {}
