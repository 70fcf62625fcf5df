package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;

import dev.waybill.message.BrokerNames;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.impl.DSL;

/** Selects holds; each condition narrows the selection. Immutable. */
public final class HoldFilter {
    private final Function<HoldSide, Condition> condition;

    private HoldFilter(Function<HoldSide, Condition> condition) {
        this.condition = condition;
    }

    public static HoldFilter everything() {
        return new HoldFilter(side -> DSL.noCondition());
    }

    /** Holds that wait for an operator. */
    public static HoldFilter parked() {
        return everything().in(HoldState.PARKED);
    }

    public HoldFilter in(HoldState... states) {
        return and(HOLD.STATE.in(Stream.of(states).map(HoldState::column).toList()));
    }

    public HoldFilter side(HoldSide side) {
        return and(own -> own == side ? DSL.noCondition() : DSL.falseCondition());
    }

    /** A destination (outbox) or consumer (inbox). */
    public HoldFilter scope(String scope) {
        return and(side -> HoldTables.scope(side).eq(scope));
    }

    public HoldFilter reason(String reason) {
        return and(HOLD.REASON.eq(reason));
    }

    /** The hold of a session, and holds of single messages of this session. */
    public HoldFilter session(String session) {
        return and(BrokerNames.key(HOLD.SESSION_ID).eq(BrokerNames.key(session)));
    }

    public HoldFilter ids(Collection<Long> ids) {
        return and(DSL.condition("{0} = any({1})", HOLD.ID, DSL.val(ids.toArray(Long[]::new))));
    }

    // A hold that was released, tried and parked again needs a new decision.
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
