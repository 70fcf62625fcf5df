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

    private final Statements statements;
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

    /** How long until the next settle is due; {@link Long#MAX_VALUE} if nothing waits for one. */
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

    /** Begins to delete what is accepted, if that is due, which leaves a mark for the floors. No statement must be running. */
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

    /** Moves what is blocked to its holds. Not while a read is under way: it may not show the hold, and rows of its session. */
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
