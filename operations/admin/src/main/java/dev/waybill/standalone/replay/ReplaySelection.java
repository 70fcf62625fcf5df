package dev.waybill.standalone.replay;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which published messages to replay. Immutable.
 *
 * @param destination the queue or topic
 * @param session only this session; all of them if empty
 * @param from created at this time or later, by the database's clock
 * @param until created before this time
 * @param firstSeq only rows from this sequence value on
 * @param lastSeq only rows up to this sequence value; what is appended after the replay has begun never belongs to it
 */
public record ReplaySelection(
        String destination,
        Optional<String> session,
        Optional<Instant> from,
        Optional<Instant> until,
        long firstSeq,
        OptionalLong lastSeq) {
    /** Everything that was published and is retained. */
    public static ReplaySelection of(String destination) {
        return new ReplaySelection(
                destination, Optional.empty(), Optional.empty(), Optional.empty(), 1, OptionalLong.empty());
    }

    /** The same, of one session only. */
    public ReplaySelection ofSession(String id) {
        return new ReplaySelection(destination, Optional.of(id), from, until, firstSeq, lastSeq);
    }

    /** The same, created at this time or later. */
    public ReplaySelection from(Instant time) {
        return new ReplaySelection(destination, session, Optional.of(time), until, firstSeq, lastSeq);
    }

    /** The same, created before this time. */
    public ReplaySelection until(Instant time) {
        return new ReplaySelection(destination, session, from, Optional.of(time), firstSeq, lastSeq);
    }

    /** The same, with sequence values from first to last. */
    public ReplaySelection between(long first, long last) {
        return new ReplaySelection(destination, session, from, until, first, OptionalLong.of(last));
    }
}
