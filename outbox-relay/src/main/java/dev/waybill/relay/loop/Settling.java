package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.claims.ClaimTable;
import dev.waybill.relay.read.Floors;
import dev.waybill.relay.send.Blocked;
import dev.waybill.relay.send.RowKey;
import dev.waybill.relay.settle.AcceptedRows;
import dev.waybill.relay.settle.AcceptedRows.Deleted;
import dev.waybill.relay.settle.HeldRows;
import dev.waybill.relay.settle.Settlement;
import dev.waybill.schema.Locking;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 * Deletes rows that the broker has accepted, and moves refused rows to holds. One statement without lock waits deletes the rows
 * of all destinations; holds may be locked, so each destination has its own statement. Confined to the loop's thread.
 */
final class Settling {
    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

    /** A settle costs a transaction, whatever the number of rows. */
    private static final long INTERVAL = Duration.ofMillis(50).toNanos();

    /** As many rows settle at once. */
    private static final int PAGE = 2_000;

    /** The shortest time between transactions that only raise floors, while nothing is settled. */
    private static final long MARK_INTERVAL = Duration.ofSeconds(1).toNanos();

    /** The delay after a hold was locked. */
    private static final long AFTER_LOCK = Duration.ofSeconds(2).toNanos();

    private final Statements statements;
    private final AcceptedRows rows;
    private final HeldRows holds;
    private final Floors floors;
    private final LongSupplier nanoTime;
    private final @Nullable ClaimTable claims;
    private final Map<String, Long> holdsDueAt = new HashMap<>();
    private long settledAt;

    /** Whether the last settle found a destination locked. */
    private boolean skipped;

    /** @param claims null if this relay deletes no bodies */
    Settling(
            Statements statements,
            AcceptedRows rows,
            HeldRows holds,
            Floors floors,
            @Nullable ClaimTable claims,
            LongSupplier nanoTime) {
        this.statements = statements;
        this.rows = rows;
        this.holds = holds;
        this.claims = claims;
        this.floors = floors;
        this.nanoTime = nanoTime;
        settledAt = nanoTime.getAsLong();
    }

    /** How long until the next settle is due; {@link Long#MAX_VALUE} if no row needs one. */
    long dueIn(Collection<Destination> owned) {
        int accepted = accepted(owned);
        if (accepted == 0) {
            return Long.MAX_VALUE;
        }
        boolean atOnce = accepted >= PAGE / 2 || owned.stream().anyMatch(Settling::isLeaving);
        return atOnce && !skipped ? 0 : Math.max(0, settledAt + INTERVAL - nanoTime.getAsLong());
    }

    private static boolean isLeaving(Destination destination) {
        return destination.mine().isLeaving() && destination.mine().lanes().acceptedCount() > 0;
    }

    private static int accepted(Collection<Destination> owned) {
        int accepted = 0;
        for (Destination destination : owned) {
            accepted += destination.mine().lanes().acceptedCount();
        }
        return accepted;
    }

    /** Starts a settle if one is due; also marks the floors. No statement must be running. */
    void settle(Collection<Destination> owned, long lastValue, boolean now) {
        if (now ? accepted(owned) > 0 : dueIn(owned) == 0) {
            delete(owned, lastValue);
        } else if (isMarkDue(owned, lastValue)) {
            settledAt = nanoTime.getAsLong();
            statements.run(() -> rows.delete(List.of()), deleted -> floors.mark(lastValue, deleted.xid()));
        }
    }

    private boolean isMarkDue(Collection<Destination> owned, long lastValue) {
        return nanoTime.getAsLong() - settledAt > MARK_INTERVAL
                && floors.needsMark(owned.stream().map(Destination::name).toList(), lastValue);
    }

    private void delete(Collection<Destination> owned, long lastValue) {
        settledAt = nanoTime.getAsLong();
        var settlements = new LinkedHashMap<Settlement, Owned>();
        for (Destination destination : owned) {
            Owned mine = destination.mine();
            List<RowKey> accepted = mine.lanes().accepted(PAGE);
            if (!accepted.isEmpty()) {
                settlements.put(new Settlement(destination.name(), mine.epoch(), accepted), mine);
            }
        }
        statements.run(
                () -> rows.delete(List.copyOf(settlements.keySet())),
                deleted -> deleted(settlements, deleted, lastValue));
    }

    private void deleted(Map<Settlement, Owned> settlements, Deleted deleted, long lastValue) {
        floors.mark(lastValue, deleted.xid());
        skipped = deleted.destinations().size() < settlements.size();
        settlements.forEach((settlement, owned) -> {
            if (deleted.destinations().contains(settlement.destination())) {
                owned.lanes().deleted(settlement.accepted());
                noteClaims(settlement);
            }
        });
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

    /** Moves blocked rows to holds. Not during a read, which may have begun before the hold and return rows of its session. */
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
            // A row that did not move is pending or erased; its floor falls back, so that it is read again.
            long lowest = owned.lanes().unblocked(blocked, moved.get());
            if (lowest < Long.MAX_VALUE) {
                floors.fallBelow(owned.destination(), lowest);
            }
            destination.log().held(moved.get().size(), lastCause(blocked));
        } catch (DataAccessException e) {
            if (!Locking.isTimeout(e.sqlState())) {
                throw e;
            }
            LOG.debug("A hold of '{}' is locked; its rows wait", owned.destination(), e);
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
