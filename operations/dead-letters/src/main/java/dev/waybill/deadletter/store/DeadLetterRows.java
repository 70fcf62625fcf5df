package dev.waybill.deadletter.store;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.DeadLetter.Lifecycle;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.deadletter.audit.DeadLetterAudit.Transition;
import dev.waybill.message.MessageContent;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectField;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Maps rows to dead letters, and constants to columns. */
public final class DeadLetterRows {
    private static final Field<Long> BYTES = field("octet_length({0})::bigint", SQLDataType.BIGINT, DEAD_LETTER.PAYLOAD)
            .as("bytes");

    private DeadLetterRows() {}

    public static String column(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static <E extends Enum<E>> E constant(Class<E> type, String column) {
        return Enum.valueOf(type, column.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    public static @Nullable EmptiedReason emptied(Record row) {
        @Nullable String column = row.get(DEAD_LETTER.EMPTIED);
        return column == null ? null : constant(EmptiedReason.class, column);
    }

    public static Field<OffsetDateTime> now() {
        return field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);
    }

    public static Condition after(long id) {
        return DEAD_LETTER.ID.gt(id).and(DEAD_LETTER.STATE_ID.gt(id));
    }

    public static Condition upTo(long id) {
        return DEAD_LETTER.ID.le(id).and(DEAD_LETTER.STATE_ID.le(id));
    }

    /** One parameter for any number of ids. */
    public static Condition any(Collection<Long> ids) {
        return condition("{0} = any({1})", DEAD_LETTER.ID, val(ids.toArray(Long[]::new)));
    }

    public static List<Long> ids(List<? extends Record> rows) {
        return rows.stream().map(row -> row.get(DEAD_LETTER.ID)).toList();
    }

    public static List<Transition> transitions(List<? extends Record> rows) {
        return rows.stream()
                .map(row -> new Transition(row.get(DEAD_LETTER.ID), row.get(DEAD_LETTER.STATE)))
                .toList();
    }

    /** The columns of {@link #summary}: all but large ones. PostgreSQL knows the length of a body without reading the body. */
    public static List<SelectField<?>> summaryFields() {
        var fields = new ArrayList<SelectField<?>>(List.of(DEAD_LETTER.fields()));
        fields.removeAll(List.of(DEAD_LETTER.PAYLOAD, DEAD_LETTER.HEADERS));
        fields.add(BYTES);
        return fields;
    }

    public static DeadLetter.Summary summary(Record row) {
        return new DeadLetter.Summary(
                row.get(DEAD_LETTER.ID),
                constant(DeadLetter.State.class, row.get(DEAD_LETTER.STATE)),
                provenance(row),
                new DeadLetter.Summary.About(
                        row.get(DEAD_LETTER.MESSAGE_ID), row.get(DEAD_LETTER.SESSION_ID), row.get(DEAD_LETTER.SUBJECT)),
                row.get(BYTES),
                course(row));
    }

    public static DeadLetter letter(Record row) {
        return new DeadLetter(
                row.get(DEAD_LETTER.ID),
                constant(DeadLetter.State.class, row.get(DEAD_LETTER.STATE)),
                provenance(row),
                content(row),
                constant(BodyKind.class, row.get(DEAD_LETTER.BODY_KIND)),
                course(row));
    }

    private static Lifecycle course(Record row) {
        return new Lifecycle(
                row.get(DEAD_LETTER.REDRIVES),
                row.get(DEAD_LETTER.VERSION),
                row.get(DEAD_LETTER.COLLECTED_AT).toInstant(),
                row.get(DEAD_LETTER.CHANGED_AT).toInstant(),
                instant(row.get(DEAD_LETTER.KEEP_UNTIL)),
                emptied(row));
    }

    private static DeadLetter.Provenance provenance(Record row) {
        var death =
                new Death(row.get(DEAD_LETTER.REASON), row.get(DEAD_LETTER.DESCRIPTION), row.get(DEAD_LETTER.SOURCE));
        return new DeadLetter.Provenance(origin(row), death, row.get(DEAD_LETTER.EXCEPTION_TYPE));
    }

    private static Origin origin(Record row) {
        @Nullable String brokerId = row.get(DEAD_LETTER.BROKER_MESSAGE_ID);
        return new Origin(
                DeadLetterEntity.ofPath(row.get(DEAD_LETTER.ENTITY), row.get(DEAD_LETTER.TRANSFER)),
                row.get(DEAD_LETTER.SEQUENCE_NUMBER),
                row.get(DEAD_LETTER.ENQUEUED_AT).toInstant(),
                brokerId == null ? row.get(DEAD_LETTER.MESSAGE_ID) : brokerId,
                row.get(DEAD_LETTER.DELIVERIES),
                instant(row.get(DEAD_LETTER.EXPIRES_AT)));
    }

    public static MessageContent content(Record row) {
        @Nullable Long timeToLive = row.get(DEAD_LETTER.TIME_TO_LIVE);
        return MessageContent.builder(row.get(DEAD_LETTER.MESSAGE_ID))
                .brokerMessageId(row.get(DEAD_LETTER.BROKER_MESSAGE_ID))
                .sessionId(row.get(DEAD_LETTER.SESSION_ID))
                .partitionKey(row.get(DEAD_LETTER.PARTITION_KEY))
                .subject(row.get(DEAD_LETTER.SUBJECT))
                .contentType(row.get(DEAD_LETTER.CONTENT_TYPE))
                .correlationId(row.get(DEAD_LETTER.CORRELATION_ID))
                .toAddress(row.get(DEAD_LETTER.TO_ADDRESS))
                .replyTo(row.get(DEAD_LETTER.REPLY_TO))
                .replyToSessionId(row.get(DEAD_LETTER.REPLY_TO_SESSION_ID))
                .timeToLive(timeToLive == null ? null : Duration.ofMillis(timeToLive))
                .scheduledEnqueueTime(instant(row.get(DEAD_LETTER.SCHEDULED_ENQUEUE_TIME)))
                .headers(row.get(DEAD_LETTER.HEADERS))
                .body(row.get(DEAD_LETTER.PAYLOAD))
                .build();
    }

    public static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
