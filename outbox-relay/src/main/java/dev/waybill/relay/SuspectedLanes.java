package dev.waybill.relay;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Those of a destination's lanes that lost their owner again and again where they stand. Not thread-safe. */
final class SuspectedLanes {
    private final OwnedLanes owned;
    private final OneByOneTurn turn;
    private final Settles settles;
    private final LongSupplier nanoTime;

    SuspectedLanes(OwnedLanes owned, OneByOneTurn turn, Settles settles, LongSupplier nanoTime) {
        this.owned = owned;
        this.turn = turn;
        this.settles = settles;
        this.nanoTime = nanoTime;
    }

    /** Sends a page of each, one message at a time, and settles it. */
    TurnOutcome send(RelayTables tables) {
        TurnOutcome outcome = TurnOutcome.IDLE;
        for (LaneState state : owned.all()) {
            if (state.caution().isWatched() && mayRead(state)) {
                @Nullable CrashSuspect suspicion = turn.grave(state, tables);
                if (suspicion != null) {
                    outcome = outcome.plus(send(state, suspicion, tables));
                }
            }
        }
        return outcome;
    }

    private boolean mayRead(LaneState state) {
        long now = nanoTime.getAsLong();
        return state.mayRead(now) || state.lateRest(now) != null;
    }

    private TurnOutcome send(LaneState state, CrashSuspect suspicion, RelayTables tables) {
        OneByOneTurn.@Nullable Walk walk = turn.walk(state, suspicion, tables);
        if (walk == null) {
            return TurnOutcome.IDLE;
        }
        TurnOutcome outcome = walk.run().outcome();
        state.walked(walk.run(), nanoTime.getAsLong());
        settles.settleNow(tables);
        // The settle may have found that the lane is somebody else's.
        if (owned.get(state.lane()) == state) {
            turn.settled(state, walk, tables);
        }
        return outcome;
    }
}
