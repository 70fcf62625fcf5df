package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.claims.ClaimTable;
import dev.waybill.relay.lease.Locking;
import dev.waybill.relay.read.Floors;
import dev.waybill.relay.send.Blocked;
import dev.waybill.relay.send.DestinationLanes;
import dev.waybill.relay.send.RowKey;
import dev.waybill.relay.settle.AcceptedRows;
import dev.waybill.relay.settle.AcceptedRows.Deleted;
import dev.waybill.relay.settle.HeldRows;
import dev.waybill.relay.settle.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes out of the outbox what the broker has accepted, and moves refused rows to holds. Accepted rows of all destinations go in
 * one statement that waits for nobody; holds go by destination, because somebody may have locked one. Confined to the loop's
 * thread.
 */
final class Settling {
    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

    /** A settle costs a transaction, however many rows it deletes. */
    private static final long INTERVAL = Duration.ofMillis(50).toNanos();

    /** So many do not wait for the interval. */
    private static final int PAGE = 2_000;

    /** While nothing is settled, floors rise by transactions made for them, so often at most. */
    private static final long MARK_INTERVAL = Duration.ofSeconds(1).toNanos();

    /** After somebody was found to have locked a hold. */
    private static final long AFTER_LOCK = Duration.ofSeconds(2).toNanos();

    private final AcceptedRows rows;
    private final HeldRows holds;
    private final Floors floors;
    private final LongSupplier nanoTime;
    private final @Nullable ClaimTable claims;
    private final Map<String, Long> holdsDueAt = new HashMap<>();
    private long settledAt;

    /** Whether the last settle has found a destination locked. */
    private boolean skipped;

    /** @param claims null if this relay removes no bodies that are kept outside their messages */
    Settling(AcceptedRows rows, HeldRows holds, Floors floors, @Nullable ClaimTable claims, LongSupplier nanoTime) {
        this.rows = rows;
        this.holds = holds;
        this.claims = claims;
        this.floors = floors;
        this.nanoTime = nanoTime;
        settledAt = nanoTime.getAsLong();
    }

    /** How long until the next settle is due; {@link Long#MAX_VALUE} if nothing waits for one. */
    long dueIn(Collection<Destination> owned) {
        int accepted = accepted(owned);
        if (accepted == 0) {
            return Long.MAX_VALUE;
        }
        return accepted >= PAGE / 2 && !skipped ? 0 : Math.max(0, settledAt + INTERVAL - nanoTime.getAsLong());
    }

    private static int accepted(Collection<Destination> owned) {
        int accepted = 0;
        for (Destination destination : owned) {
            accepted += destination.mine().lanes().acceptedCount();
        }
        return accepted;
    }

    /** Deletes what is accepted, if that is due, and leaves a mark for the floors. */
    void settle(Collection<Destination> owned, long lastValue, boolean now) {
        if (now ? accepted(owned) > 0 : dueIn(owned) == 0) {
            delete(owned, lastValue);
        } else if (isMarkDue(owned, lastValue)) {
            settledAt = nanoTime.getAsLong();
            floors.mark(lastValue, rows.delete(List.of()).xid());
        }
    }

    private boolean isMarkDue(Collection<Destination> owned, long lastValue) {
        return nanoTime.getAsLong() - settledAt > MARK_INTERVAL
                && floors.needsMark(owned.stream().map(Destination::name).toList(), lastValue);
    }

    private void delete(Collection<Destination> owned, long lastValue) {
        settledAt = nanoTime.getAsLong();
        var settlements = new ArrayList<Settlement>();
        for (Destination destination : owned) {
            List<RowKey> accepted = destination.mine().lanes().accepted(PAGE);
            if (!accepted.isEmpty()) {
                settlements.add(
                        new Settlement(destination.name(), destination.mine().epoch(), accepted));
            }
        }
        Deleted deleted = rows.delete(settlements);
        floors.mark(lastValue, deleted.xid());
        skipped = deleted.destinations().size() < settlements.size();
        for (Settlement settlement : settlements) {
            if (deleted.destinations().contains(settlement.destination())) {
                lanes(owned, settlement).deleted(settlement.accepted());
                noteClaims(settlement);
            }
        }
    }

    private void noteClaims(Settlement settlement) {
        if (claims != null) {
            List<UUID> published = settlement.accepted().stream()
                    .map(RowKey::claim)
                    .filter(Objects::nonNull)
                    .toList();
            if (!published.isEmpty()) {
                claims.published(published);
            }
        }
    }

    private static DestinationLanes lanes(Collection<Destination> owned, Settlement settlement) {
        return owned.stream()
                .filter(destination -> destination.name().equals(settlement.destination()))
                .findFirst()
                .orElseThrow()
                .mine()
                .lanes();
    }

    /** Moves what is blocked to its holds. */
    void hold(Collection<Destination> owned) {
        for (Destination destination : owned) {
            if (destination.mine().lanes().hasBlocked() && isHoldDue(destination.name())) {
                hold(destination);
            }
        }
    }

    private boolean isHoldDue(String destination) {
        long now = nanoTime.getAsLong();
        return holdsDueAt.getOrDefault(destination, now) - now <= 0;
    }

    private void hold(Destination destination) {
        Owned owned = destination.mine();
        List<Blocked> blocked = owned.lanes().blocked(PAGE);
        try {
            Optional<Set<Long>> moved = holds.move(owned.destination(), owned.epoch(), blocked);
            if (moved.isEmpty()) {
                owned.lose();
                return;
            }
            // One that did not move is in the table still, or erased: its floor goes back so that it is read again.
            long lowest = owned.lanes().unblocked(blocked, moved.get());
            if (lowest < Long.MAX_VALUE) {
                floors.fallBelow(owned.destination(), lowest);
            }
            destination.log().held(moved.get().size(), lastCause(blocked));
        } catch (DataAccessException e) {
            if (!Locking.isTimeout(e.sqlState())) {
                throw e;
            }
            LOG.debug("Somebody has locked a hold of '{}'; its rows wait", owned.destination(), e);
            holdsDueAt.put(owned.destination(), nanoTime.getAsLong() + AFTER_LOCK);
        }
    }

    private static @Nullable Cause lastCause(List<Blocked> blocked) {
        return blocked.stream()
                .map(Blocked::cause)
                .filter(Objects::nonNull)
                .reduce((first, second) -> second)
                .orElse(null);
    }
}
