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
 * Which places this process is fetching deferred messages from, and which it leaves alone for a while because somebody else has
 * them. That is nothing for the database: there the owner must go on to find that the messages are wanted. Thread-safe.
 */
final class ResumePlaces {
    private static final Duration FIRST_REST = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;

    private final WorkerClock clock;
    private final Map<ResumePlace, Claim> claims = new HashMap<>();

    ResumePlaces(WorkerClock clock) {
        this.clock = clock;
    }

    /** The first that is nobody's in this process, and is not left alone. */
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

    /** @param missed whether it could not be had, so that it is left alone, longer from time to time */
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
