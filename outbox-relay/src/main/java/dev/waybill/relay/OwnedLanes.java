package dev.waybill.relay;

import dev.waybill.message.WireContract;
import dev.waybill.relay.LaneTable.Claim;
import dev.waybill.relay.LaneTable.Others;
import dev.waybill.relay.LaneTable.Owner;
import dev.waybill.relay.LaneTable.Standing;
import dev.waybill.relay.Publisher.Entity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a destination that this relay owns. It takes lanes up to its fair share among the relays that serve
 * the destination, and gives back what is above it once nothing of that is on its way; all of them while the destination
 * moves to another entity. It looks when something has changed, and when the time of another relay may have run out. Confined
 * to the loop's thread.
 */
final class OwnedLanes {
    /** After the end of another's time: a sign of life may be on its way. */
    private static final Duration GRACE = Duration.ofMillis(20);

    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    /** After a time without a stall, the next one counts as the first. */
    private static final Duration CALM = Duration.ofMinutes(10);

    private final DestinationSender sender;
    private final LaneNews news;
    private final LongSupplier nanoTime;
    private final Duration longestLook;
    private final Map<Lane, LaneState> lanes = new LinkedHashMap<>();
    private final Set<Lane> doubtful = new HashSet<>();
    private @Nullable List<LaneState> all;
    private CompletableFuture<?> ending = CompletableFuture.completedFuture(true);
    private long lookAt;
    private long changes;
    private boolean registered;
    private int stalls;
    private long stalledAt;
    private long claimAt;
    private Optional<Entity> entity = Optional.empty();

    /** @param longestLook looked again after this long at the latest */
    OwnedLanes(DestinationSender sender, Duration longestLook, LongSupplier nanoTime) {
        this.sender = sender;
        this.news = new LaneNews(sender.destination());
        this.longestLook = longestLook;
        this.nanoTime = nanoTime;
        this.lookAt = nanoTime.getAsLong();
        this.claimAt = lookAt;
        this.stalledAt = lookAt;
    }

    List<LaneState> all() {
        if (all == null) {
            all = List.copyOf(lanes.values());
        }
        return all;
    }

    @Nullable LaneState get(Lane lane) {
        return lanes.get(lane);
    }

    boolean isEmpty() {
        return lanes.isEmpty();
    }

    boolean isAll() {
        return lanes.size() == WireContract.BUCKETS;
    }

    /**
     * Where the destination has moved to; empty for where the publisher is set up to send. It changes only while nobody owns a
     * lane, so it is as it was when the lanes were taken.
     */
    Optional<Entity> entity() {
        return entity;
    }

    /** Forgets everything; what the database says is read again. */
    void forget() {
        lanes.values().forEach(this::keepDoubt);
        lanes.clear();
        all = null;
        lookAgain();
    }

    /**
     * As {@link #forget} after the loop stood still: others go first, ever longer if it happens again and again.
     */
    void forgetAfterStall() {
        forget();
        long now = nanoTime.getAsLong();
        stalls = now - stalledAt > CALM.toNanos() ? 0 : stalls;
        stalledAt = now;
        Duration delay = Duration.ofSeconds(1).multipliedBy(1L << Math.min(stalls, 6));
        claimAt = now + (delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY).toNanos();
        stalls++;
    }

    void lose(LaneState state) {
        letGo(state);
        lookAgain();
    }

    // Not adopted again while something of it is under way, which could arrive beside what is then sent.
    private void letGo(LaneState state) {
        keepDoubt(state);
        ending = CompletableFuture.allOf(ending, state.giveUp());
        lanes.remove(state.lane());
        all = null;
    }

    // Nobody learns how what is under way ends. It has ended when the lane is adopted again, so it counts from then.
    private void keepDoubt(LaneState state) {
        if (!state.isQuiet() || state.isUncertain(sender.publisher().longestSend(), nanoTime.getAsLong())) {
            doubtful.add(state.lane());
        }
    }

    void lookAgain() {
        lookAt = nanoTime.getAsLong();
    }

    /** A read has told how often relays or lanes have changed. */
    void saw(long newChanges) {
        if (newChanges != changes) {
            changes = newChanges;
            lookAgain();
        }
    }

    boolean isLookDue() {
        return lookAt - nanoTime.getAsLong() <= 0;
    }

    /** How long until the next look is due, or a lane that has failed may be read again; not positive if it is now. */
    long restNanos(long now) {
        long left = lookAt - now;
        for (LaneState state : all()) {
            long rest = state.restUntilNanos() - now;
            if (state.hasMore() && state.isQuiet() && rest > 0) {
                left = Math.min(left, rest);
            }
        }
        return left;
    }

    /** Compares with the database, gives back, takes and adopts. */
    void look(RelayTables tables) {
        List<Standing> standings = standings(tables);
        Others relays = standings.isEmpty() ? Others.NONE : standings.get(0).others();
        int others = relays.count();
        int share = relays.withheld().isZero() ? (WireContract.BUCKETS + others) / (others + 1) : 0;
        dropWhatIsNotOurs(standings);
        tellLost(tables, standings);
        if (!ending.isDone()) {
            lookAt = nanoTime.getAsLong() + GRACE.toNanos();
            return;
        }
        var mine = new ArrayList<Claim>();
        standings.stream()
                .filter(Standing::mine)
                .filter(s -> !lanes.containsKey(lane(s.bucket())))
                .forEach(s -> mine.add(new Claim(s.bucket(), s.epoch(), false, Owner.NOBODY)));
        long owned = standings.stream().filter(Standing::mine).count();
        mine.addAll(claim(tables, standings, share - (int) owned, others));
        planNextLook(standings, others);
        adopt(tables, mine);
        drain((int) owned - share);
        giveBackDrained(tables);
    }

    private List<Standing> standings(RelayTables tables) {
        if (!registered) {
            tables.lanes().register(sender.publisher().longestSend());
            registered = true;
        }
        changes = tables.lanes().changes();
        List<Standing> standings = tables.lanes().look();
        // Somebody has emptied tables by mistake, and without lanes nobody would send anything any more.
        if (standings.size() < WireContract.BUCKETS) {
            tables.lanes().register(sender.publisher().longestSend());
            return tables.lanes().look();
        }
        return standings;
    }

    private void tellLost(RelayTables tables, List<Standing> standings) {
        var mine =
                standings.stream().filter(Standing::mine).map(Standing::bucket).collect(Collectors.toSet());
        List<Short> lost = news.missing(mine);
        if (!lost.isEmpty()) {
            news.lost(lost, tables.lanes().owners(lost));
        }
    }

    private Lane lane(short bucket) {
        return new Lane(sender.destination(), bucket);
    }

    private void dropWhatIsNotOurs(List<Standing> standings) {
        var epochs = new HashMap<Lane, Long>();
        standings.stream().filter(Standing::mine).forEach(s -> epochs.put(lane(s.bucket()), s.epoch()));
        for (LaneState state : all()) {
            if (!Objects.equals(epochs.get(state.lane()), state.epoch())) {
                letGo(state);
            }
        }
    }

    private List<Claim> claim(RelayTables tables, List<Standing> standings, int want, int others) {
        boolean held = others > 0 && claimAt - nanoTime.getAsLong() > 0;
        boolean anyFree = standings.stream().anyMatch(s -> s.free() && s.delay().isZero());
        List<Claim> claims = want > 0 && anyFree && !held ? tables.lanes().claim(want) : List.of();
        if (!claims.isEmpty()) {
            news.taken(claims);
            announce(tables);
        }
        return claims;
    }

    // Our own change is none to look at.
    private void announce(RelayTables tables) {
        long announced = tables.lanes().announce();
        if (announced == changes + 1) {
            changes = announced;
        }
    }

    private void planNextLook(List<Standing> standings, int others) {
        Duration next = others > 0 ? standings.get(0).others().end().plus(GRACE) : longestLook;
        Duration withheld =
                standings.isEmpty() ? Duration.ZERO : standings.get(0).others().withheld();
        if (!withheld.isZero()) {
            next = shorter(next, withheld.plus(GRACE));
        }
        for (Standing standing : standings) {
            if (standing.free() && !standing.delay().isZero()) {
                next = shorter(next, standing.delay().plus(GRACE));
            }
        }
        long now = nanoTime.getAsLong();
        lookAt = now + shorter(next, longestLook).toNanos();
        if (others > 0 && claimAt - now > 0 && claimAt - lookAt < 0) {
            lookAt = claimAt;
        }
    }

    private void adopt(RelayTables tables, List<Claim> claims) {
        if (claims.isEmpty()) {
            return;
        }
        tables.history().require();
        // After the claim: the entity changes only while no relay has a lane.
        entity = tables.lanes().entity();
        var byLane = new HashMap<Lane, Claim>();
        claims.forEach(claim -> byLane.put(lane(claim.bucket()), claim));
        Map<Lane, Cursor> cursors = tables.progress()
                .load(sender.destination(), claims.stream().map(Claim::bucket).toList());
        cursors.values().forEach(tables.reader()::recorded);
        List<Lane> unrecorded = byLane.keySet().stream()
                .filter(lane -> !cursors.containsKey(lane))
                .toList();
        if (!unrecorded.isEmpty()) {
            cursors.putAll(tables.reader().start(unrecorded));
        }
        Map<Lane, CrashSuspect> suspicions = tables.suspicions().load(sender.destination(), cursors);
        cursors.forEach((lane, cursor) -> {
            Claim claim = Objects.requireNonNull(byLane.get(lane));
            var state =
                    new LaneState(lane, claim.epoch(), claim.orphaned(), cursor, sender.policy(), nanoTime.getAsLong());
            state.caution().suspect(suspicions.get(lane));
            if (doubtful.remove(lane)) {
                state.doubt(nanoTime.getAsLong());
            }
            lanes.put(lane, state);
        });
        all = null;
    }

    // The highest first.
    private void drain(int surplus) {
        lanes.values().stream()
                .sorted((a, b) -> b.lane().bucket() - a.lane().bucket())
                .forEach(new Consumer<>() {
                    private int left = surplus;

                    @Override
                    public void accept(LaneState state) {
                        state.drain(left-- > 0);
                    }
                });
    }

    /** Gives back what is drained, and all of which nothing is on its way and everything is settled. */
    void giveBackDrained(RelayTables tables) {
        var idle = new ArrayList<LaneState>();
        for (LaneState state : all()) {
            if (state.isDraining() && state.isQuiet() && !state.isUnsettled()) {
                idle.add(state);
            }
        }
        if (!idle.isEmpty()) {
            release(tables, idle);
        }
    }

    /**
     * Gives lanes back of which nothing is on its way; where a send's fate is unknown, nobody takes it until it
     * must be over.
     */
    private void release(RelayTables tables, Collection<LaneState> idle) {
        Duration longestSend = sender.publisher().longestSend();
        var certain = idle.stream()
                .filter(state -> !state.isUncertain(longestSend, nanoTime.getAsLong()))
                .toList();
        var uncertain = idle.stream()
                .filter(state -> state.isUncertain(longestSend, nanoTime.getAsLong()))
                .toList();
        tables.lanes().release(certain, Duration.ZERO);
        tables.lanes().release(uncertain, longestSend);
        idle.forEach(state -> lanes.remove(state.lane()));
        news.givenBack(idle);
        all = null;
        announce(tables);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
