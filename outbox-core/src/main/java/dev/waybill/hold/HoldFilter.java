package dev.waybill.hold;

import static dev.waybill.schema.jooq.Tables.HOLD;

import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.impl.DSL;

/** Which holds; each word narrows the choice. Immutable. */
public final class HoldFilter {
    private final Condition condition;

    private HoldFilter(Condition condition) {
        this.condition = condition;
    }

    /** Every one, also those that are tried again by themselves. */
    public static HoldFilter everything() {
        return new HoldFilter(DSL.noCondition());
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
        return and(HOLD.SIDE.eq(side.column()));
    }

    /** Of a destination, or of a consumer. */
    public HoldFilter scope(String scope) {
        return and(HOLD.SCOPE.eq(scope));
    }

    /** With exactly this reason. */
    public HoldFilter reason(String reason) {
        return and(HOLD.REASON.eq(reason));
    }

    /** Of a session: its own, and those of single messages of it. */
    public HoldFilter session(String session) {
        return and(HOLD.SESSION_ID.eq(session));
    }

    Condition condition() {
        return condition;
    }

    private HoldFilter and(Condition more) {
        return new HoldFilter(condition.and(more));
    }
}
