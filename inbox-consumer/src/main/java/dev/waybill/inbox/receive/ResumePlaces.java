package dev.waybill.inbox.receive;

import dev.waybill.inbox.defer.ResumePlace;
import dev.waybill.inbox.lock.WorkerClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The places from which this process fetches deferred messages, and those that back off because another process has them. Kept in
 * memory, not in the database: there the owner must still see that its messages are resumed. Thread-safe.
 */
final class ResumePlaces {
    private static final Duration FIRST_REST = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;

    private final WorkerClock clock;
    private final Map<ResumePlace, Claim> claims = new HashMap<>();

    ResumePlaces(WorkerClock clock) {
        this.clock = clock;
    }

    /** Claims the first place that is neither claimed nor in back-off. */
    synchronized Optional<ResumePlace> claim(List<ResumePlace> wanted) {
        long now = clock.now();
        var stillWanted = new HashSet<>(wanted);
        claims.entrySet().removeIf(claim -> claim.getValue().isOver(now) && !stillWanted.contains(claim.getKey()));
        for (ResumePlace place : wanted) {
            @Nullable Claim claim = claims.get(place);
            if (claim == null || claim.isOver(now)) {
                claims.put(place, new Claim(true, now, claim == null ? 0 : claim.missed()));
                return Optional.of(place);
            }
        }
        return Optional.empty();
    }

    /** A place that was missed gets a back-off, which doubles each time. */
    synchronized void release(ResumePlace place, boolean missed) {
        @Nullable Claim claim = claims.remove(place);
        if (missed && claim != null) {
            long rest = FIRST_REST.toNanos() << Math.min(claim.missed(), MOST_DOUBLINGS);
            claims.put(place, new Claim(false, clock.now() + rest, claim.missed() + 1));
        }
    }

    private record Claim(boolean inProgress, long until, int missed) {
        boolean isOver(long now) {
            return !inProgress && now - until >= 0;
        }
    }
}
