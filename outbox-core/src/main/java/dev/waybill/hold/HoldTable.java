package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Puts messages on hold in the caller's transaction. {@link Attempts} retry them. Immutable and thread-safe. */
public final class HoldTable {
    static final Cause CAUGHT_UP = new Cause("JoinedReleased", "came while what was held before it was released");

    private final HoldTables tables;

    private HoldTable(HoldTables tables) {
        this.tables = tables;
    }

    public static HoldTable in(SchemaName schema, HoldSide side) {
        return new HoldTable(new HoldTables(schema, side));
    }

    /** Locks a hold until the end of the transaction and returns its id; empty if there is no such hold. */
    public OptionalLong lock(DSLContext tx, HoldKey key) {
        return tables.in(tx)
                .select(HOLD.ID)
                .from(HOLD)
                .where(HoldRows.is(key))
                .forUpdate()
                .fetchOptional(HOLD.ID)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** As {@link #lock(DSLContext, HoldKey)}, if the hold contains this dead letter. */
    public OptionalLong lock(DSLContext tx, HoldKey key, long deadLetter) {
        OptionalLong hold = lock(tx, key);
        return hold.isPresent()
                        && HeldMessages.placeOf(tables.in(tx), hold.getAsLong(), deadLetter)
                                .isPresent()
                ? hold
                : OptionalLong.empty();
    }

    /** Locks the hold without a change. If it has ended, opens it again, due at once. */
    public long join(DSLContext tx, HoldKey key) {
        return upsert(tx, key, AttemptResult.later(CAUGHT_UP, Duration.ZERO), Map.of(HOLD.CHANGED_AT, HoldRows.NOW));
    }

    /** Opens or locks the hold, and parks it. */
    public long park(DSLContext tx, HoldKey key, Cause cause) {
        return upsert(
                tx,
                key,
                AttemptResult.parked(cause),
                Map.of(
                        HOLD.STATE, val(HoldState.PARKED.column()),
                        HOLD.REASON, excluded(HOLD.REASON),
                        HOLD.DESCRIPTION, excluded(HOLD.DESCRIPTION),
                        HOLD.TIMES_PARKED,
                                HOLD.TIMES_PARKED.plus(when(HOLD.STATE.eq(HoldState.PARKED.column()), 0)
                                        .otherwise(1)),
                        HOLD.CHANGED_AT, HoldRows.NOW));
    }

    /**
     * Opens or locks many holds in one statement and returns their ids: {@linkplain #park parks} those with a cause,
     * {@linkplain #join joins} the others. The order of the {@linkplain HoldKey#text keys} prevents deadlocks.
     */
    public Map<HoldKey, Long> hold(DSLContext tx, Map<HoldKey, Optional<Cause>> wanted) {
        return new ManyHolds(tables).hold(tx, wanted);
    }

    /** Opens or locks the hold. The next attempt follows after a back-off, unless the hold is parked. */
    public long postpone(DSLContext tx, HoldKey key, Cause cause, Duration rest) {
        return upsert(
                tx,
                key,
                AttemptResult.later(cause, rest),
                Map.of(
                        HOLD.DUE_AT, excluded(HOLD.DUE_AT),
                        HOLD.REASON, excluded(HOLD.REASON),
                        HOLD.DESCRIPTION, excluded(HOLD.DESCRIPTION),
                        HOLD.CHANGED_AT, HoldRows.NOW));
    }

    /**
     * Adds a message to the end of a hold that this transaction has locked. False, and the hold ends if it is empty, if the
     * hold contains this origin and id or an erasure order forbids the message.
     */
    public boolean add(DSLContext tx, long holdId, Origin origin, MessageContent content) {
        return add(tx, holdId, null, origin, content);
    }

    /** As {@link #add(DSLContext, long, Origin, MessageContent)}, for a message out of another hold. A dead letter stays one. */
    public boolean add(DSLContext tx, long holdId, HeldMessage held) {
        return add(tx, holdId, held.deadLetter(), held.origin(), held.content());
    }

    private boolean add(DSLContext tx, long holdId, @Nullable Long deadLetter, Origin origin, MessageContent content) {
        boolean added = HeldMessages.add(tables.in(tx), holdId, deadLetter, origin, content);
        if (!added) {
            endIfEmpty(tx, holdId);
        }
        return added;
    }

    /**
     * Adds a dead letter to the end of a hold that this transaction has locked, or replaces the copy of an earlier re-drive.
     * False if an attempt at that copy is running, or an erasure order forbids it.
     */
    public boolean bring(DSLContext tx, long holdId, long deadLetter, Origin origin, MessageContent content) {
        DSLContext bound = tables.in(tx);
        OptionalLong place = HeldMessages.placeOf(bound, holdId, deadLetter);
        if (place.isEmpty()) {
            return add(tx, holdId, deadLetter, origin, content);
        }
        boolean idle = bound.update(HOLD)
                        // Invalidates an expired attempt: its worker has handled the old body.
                        .setNull(HOLD.ATTEMPT_TOKEN)
                        .setNull(HOLD.ATTEMPT_UNTIL)
                        .set(HOLD.ATTEMPTS, 0)
                        .where(HOLD.ID.eq(holdId), HOLD.ATTEMPT_UNTIL.isNull().or(HOLD.ATTEMPT_UNTIL.le(HoldRows.NOW)))
                        .execute()
                == 1;
        if (idle) {
            HeldMessages.replace(bound, holdId, place.getAsLong(), content);
        }
        return idle;
    }

    /** Ends a hold that this transaction has locked, if it is empty. */
    public void endIfEmpty(DSLContext tx, long holdId) {
        DSLContext bound = tables.in(tx);
        if (HeldMessages.none(bound, holdId)) {
            bound.deleteFrom(HOLD).where(HOLD.ID.eq(holdId)).execute();
        }
    }

    /** Ends the empty ones among holds that this transaction has locked, in one statement. */
    public void endEmpty(DSLContext tx, Collection<Long> holdIds) {
        new ManyHolds(tables).endEmpty(tx, holdIds);
    }

    private long upsert(DSLContext tx, HoldKey key, AttemptResult opened, Map<? extends Field<?>, ?> otherwise) {
        Cause cause = opened.cause() == null ? CAUGHT_UP : opened.cause();
        return tables.in(tx)
                .insertInto(HOLD)
                .set(tables.scope(), key.scope())
                .set(HOLD.SESSION_ID, key.session())
                .set(HOLD.MESSAGE_ID, key.message())
                .set(HOLD.STATE, opened.state().column())
                .set(HOLD.DUE_AT, opened.rest() == null ? HoldRows.NOW : HoldRows.after(opened.rest()))
                .set(HOLD.REASON, cause.reason())
                .set(HOLD.DESCRIPTION, cause.description())
                .set(HOLD.TIMES_PARKED, opened.state() == HoldState.PARKED ? 1 : 0)
                .onConflict(tables.scope(), HOLD.KEY)
                .doUpdate()
                .set(otherwise)
                .returning(HOLD.ID)
                .fetchSingle(HOLD.ID);
    }
}
