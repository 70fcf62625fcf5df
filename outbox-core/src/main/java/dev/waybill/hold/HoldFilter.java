package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.impl.DSL;

/** Which holds; each word narrows the choice. Immutable. */
public final class HoldFilter {
    private final Function<HoldSide, Condition> condition;

    private HoldFilter(Function<HoldSide, Condition> condition) {
        this.condition = condition;
    }

    /** Every one, also those that are tried again by themselves. */
    public static HoldFilter everything() {
        return new HoldFilter(side -> DSL.noCondition());
    }

    /** Those that somebody has to decide about. */
    public static HoldFilter parked() {
        return everything().in(HoldState.PARKED);
    }

    /** In one of these states. */
    public HoldFilter in(HoldState... states) {
        return and(HOLD.STATE.in(Stream.of(states).map(HoldState::column).toList()));
    }

    /** Of the outbox, or of the inbox. */
    public HoldFilter side(HoldSide side) {
        return and(own -> own == side ? DSL.noCondition() : DSL.falseCondition());
    }

    /** Of a destination, or of a consumer. */
    public HoldFilter scope(String scope) {
        return and(side -> HoldTables.scope(side).eq(scope));
    }

    /** With exactly this reason. */
    public HoldFilter reason(String reason) {
        return and(HOLD.REASON.eq(reason));
    }

    /** Of a session: its own, and those of single messages of it. */
    public HoldFilter session(String session) {
        return and(HOLD.SESSION_ID.eq(session));
    }

    /** These, by their numbers. */
    public HoldFilter ids(Collection<Long> ids) {
        return and(DSL.condition("{0} = any({1})", HOLD.ID, DSL.val(ids.toArray(Long[]::new))));
    }

    // One that was let go, tried and parked again is another one to decide about.
    HoldFilter untried(long last, Instant time) {
        OffsetDateTime at = time.atOffset(ZoneOffset.UTC);
        return and(HOLD.ID
                .le(last)
                .and(HOLD.HELD_AT.le(at))
                .and(HOLD.ATTEMPTED_AT.isNull().or(HOLD.ATTEMPTED_AT.le(at))));
    }

    HoldFilter unchanged(Instant time) {
        return and(HOLD.CHANGED_AT.le(time.atOffset(ZoneOffset.UTC)));
    }

    Condition condition(HoldSide side) {
        return condition.apply(side);
    }

    private HoldFilter and(Condition more) {
        return and(side -> more);
    }

    private HoldFilter and(Function<HoldSide, Condition> more) {
        return new HoldFilter(side -> condition.apply(side).and(more.apply(side)));
    }
}
