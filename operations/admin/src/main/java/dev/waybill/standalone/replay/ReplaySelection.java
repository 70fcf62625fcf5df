package dev.waybill.standalone.replay;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which published messages to replay. Immutable.
 *
 * @param session empty for all sessions
 * @param from creation time by the database's clock, inclusive
 * @param until creation time, exclusive
 * @param firstSeq the first sequence value
 * @param lastSeq the last sequence value; a run never includes messages appended after its start
 */
public record ReplaySelection(
        String destination,
        Optional<String> session,
        Optional<Instant> from,
        Optional<Instant> until,
        long firstSeq,
        OptionalLong lastSeq) {
    /** Every retained message. */
    public static ReplaySelection of(String destination) {
        return new ReplaySelection(
                destination, Optional.empty(), Optional.empty(), Optional.empty(), 1, OptionalLong.empty());
    }

    public ReplaySelection ofSession(String id) {
        return new ReplaySelection(destination, Optional.of(id), from, until, firstSeq, lastSeq);
    }

    public ReplaySelection from(Instant time) {
        return new ReplaySelection(destination, session, Optional.of(time), until, firstSeq, lastSeq);
    }

    public ReplaySelection until(Instant time) {
        return new ReplaySelection(destination, session, from, Optional.of(time), firstSeq, lastSeq);
    }

    /** Limits the sequence values, both inclusive. */
    public ReplaySelection between(long first, long last) {
        return new ReplaySelection(destination, session, from, until, first, OptionalLong.of(last));
    }
}
