package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.message.BrokerNames;
import dev.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** A choice of dead letters; each call narrows it. Immutable. */
public final class DeadLetterFilter {
    // jsonb has no NUL: a character that no text may contain stands for it. Escaped backslashes begin no escape.
    private static final String VALUES = "replace(replace(%s, '\\\\', '\\u005c'), '\\u0000', '\\uFFFF')::jsonb";

    private static final String HAS_PROPERTY = """
            case when position({0} in lower({1} collate "C")) > 0 then exists (
              select from jsonb_each(%s) as p
              where jsonb_build_object(lower(p.key collate "C"), p.value) @> %s) else false end""".formatted(VALUES.formatted("{1}"), VALUES.formatted("{2}"));

    private final Condition condition;
    private final Set<DeadLetter.State> states;

    private DeadLetterFilter(Condition condition, Set<DeadLetter.State> states) {
        this.condition = condition;
        this.states = states;
    }

    /** All letters, in any state. */
    public static DeadLetterFilter everything() {
        return new DeadLetterFilter(DSL.noCondition(), Set.of());
    }

    public static DeadLetterFilter open() {
        return everything().in(DeadLetter.State.OPEN);
    }

    public static DeadLetterFilter ids(Collection<Long> ids) {
        return everything().and(DeadLetterRows.any(ids));
    }

    public static DeadLetterFilter id(long id) {
        return everything().and(DEAD_LETTER.ID.eq(id));
    }

    public DeadLetterFilter in(DeadLetter.State... states) {
        return new DeadLetterFilter(
                condition.and(DEAD_LETTER.STATE.in(
                        Stream.of(states).map(DeadLetterRows::column).toList())),
                Set.copyOf(List.of(states)));
    }

    /** By the path of a queue or subscription. */
    public DeadLetterFilter entity(String path) {
        return and(BrokerNames.key(DEAD_LETTER.ENTITY).eq(BrokerNames.key(path)));
    }

    /** Only transfer dead letters, or none of them. */
    public DeadLetterFilter transfers(boolean only) {
        return and(DEAD_LETTER.TRANSFER.eq(only));
    }

    public DeadLetterFilter reason(String reason) {
        return and(DEAD_LETTER.REASON.eq(reason));
    }

    public DeadLetterFilter exceptionType(String name) {
        return and(DEAD_LETTER.EXCEPTION_TYPE.eq(name));
    }

    public DeadLetterFilter subject(String subject) {
        return and(DEAD_LETTER.SUBJECT.eq(subject));
    }

    public DeadLetterFilter session(String session) {
        return and(BrokerNames.key(DEAD_LETTER.SESSION_ID).eq(BrokerNames.key(session)));
    }

    public DeadLetterFilter messageId(String id) {
        return and(DEAD_LETTER.MESSAGE_ID.eq(id));
    }

    /** Enqueued in its entity at this time or later, by the broker's clock. */
    public DeadLetterFilter enqueuedFrom(Instant time) {
        return and(DEAD_LETTER.ENQUEUED_AT.ge(time.atOffset(ZoneOffset.UTC)));
    }

    /** Enqueued in its entity before this time, by the broker's clock. */
    public DeadLetterFilter enqueuedBefore(Instant time) {
        return and(DEAD_LETTER.ENQUEUED_AT.lt(time.atOffset(ZoneOffset.UTC)));
    }

    /** Collected at this time or later, by the database's clock. */
    public DeadLetterFilter collectedFrom(Instant time) {
        return and(DEAD_LETTER.COLLECTED_AT.ge(time.atOffset(ZoneOffset.UTC)));
    }

    /** Collected before this time, by the database's clock. */
    public DeadLetterFilter collectedBefore(Instant time) {
        return and(DEAD_LETTER.COLLECTED_AT.lt(time.atOffset(ZoneOffset.UTC)));
    }

    /** Collected within this time up to now, by the database's clock. */
    public DeadLetterFilter collectedWithin(Duration time) {
        return and(DEAD_LETTER.COLLECTED_AT.gt(ago(time)));
    }

    /**
     * With an application property of this type and value: {@code 1} matches neither {@code 10} nor {@code "1"}. Names are
     * compared without regard to case, as Service Bus does.
     */
    public DeadLetterFilter property(String name, Object value) {
        String json = Headers.write(Map.of(BrokerNames.key(name), value));
        String key = Headers.write(Map.of(name, true));
        // Most rows do not have the name, and are not parsed.
        return and(DSL.condition(
                HAS_PROPERTY,
                val(BrokerNames.key(key.substring(1, key.lastIndexOf(':')))),
                DEAD_LETTER.HEADERS,
                val(json)));
    }

    /** With a body that contains this text, which is not empty, in UTF-8. Reads each body that the rest matches. */
    public DeadLetterFilter bodyContains(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Every body contains the empty text: say what it is to contain");
        }
        return and(field(
                        "position({0} in {1})",
                        SQLDataType.INTEGER, val(text.getBytes(StandardCharsets.UTF_8)), DEAD_LETTER.PAYLOAD)
                .gt(0));
    }

    /** Neither edited nor moved to another state for so long, by the database's clock. */
    public DeadLetterFilter unchangedFor(Duration time) {
        return and(DEAD_LETTER.CHANGED_AT.le(ago(time)));
    }

    private static Field<OffsetDateTime> ago(Duration time) {
        return field(
                "clock_timestamp() - {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, val(time.toMillis()));
    }

    public DeadLetterFilter keptForItsTime() {
        return in(DeadLetter.State.ARCHIVED).and(DEAD_LETTER.KEEP_UNTIL.lt(DeadLetterRows.now()));
    }

    DeadLetterFilter unchangedSince(OffsetDateTime time) {
        return and(DEAD_LETTER.CHANGED_AT.le(time));
    }

    DeadLetterFilter upTo(long last, Instant time) {
        // Both tables of the view are limited: PostgreSQL does not derive one limit from the other.
        return unchangedSince(time.atOffset(ZoneOffset.UTC))
                .and(DEAD_LETTER.ID.le(last).and(DEAD_LETTER.STATE_ID.le(last)));
    }

    DeadLetterFilter and(Condition more) {
        return new DeadLetterFilter(condition.and(more), states);
    }

    Condition inStates(Field<String> state) {
        return states.isEmpty()
                ? DSL.noCondition()
                : state.in(states.stream().map(DeadLetterRows::column).toList());
    }

    Condition condition() {
        return condition;
    }
}
