package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HELD_MESSAGE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.SQLDataType.BIGINT;

import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.BinaryParameters;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Messages of holds. Writing calls need a transaction that has locked the hold. */
final class HeldMessages {
    // The size of compressed headers is unknown, so they count as the largest that a message may have.
    private static final Field<Long> WEIGHT = field(
                    "octet_length({0}) + case when pg_column_compression({1}) is null"
                            + " then coalesce(pg_column_size({1}), 0) else 65536 end",
                    BIGINT, HELD_MESSAGE.PAYLOAD, HELD_MESSAGE.HEADERS)
            .as("weight");

    private static final List<Field<?>> COLUMNS = HELD_MESSAGE
            .fieldStream()
            .<Field<?>>map(column -> column)
            .filter(column -> !column.equals(HELD_MESSAGE.ADDED_AT))
            .toList();

    private HeldMessages() {}

    /** The first of these holds whose first messages have at most {@code bytes} together; at least one hold. */
    static List<Long> withFirstsWithin(DSLContext dsl, List<Long> holds, long bytes) {
        if (bytes == Long.MAX_VALUE) {
            return holds;
        }
        Map<Long, Long> weights = dsl.select(HELD_MESSAGE.HOLD_ID, WEIGHT)
                .distinctOn(HELD_MESSAGE.HOLD_ID)
                .from(HELD_MESSAGE)
                .where(HELD_MESSAGE.HOLD_ID.in(holds))
                .orderBy(HELD_MESSAGE.HOLD_ID, HELD_MESSAGE.PLACE)
                .fetchMap(HELD_MESSAGE.HOLD_ID, WEIGHT);
        var within = new ArrayList<Long>();
        long all = 0;
        for (Long hold : holds) {
            all += weights.getOrDefault(hold, 0L);
            if (all > bytes && !within.isEmpty()) {
                break;
            }
            within.add(hold);
        }
        return within;
    }

    /** The first messages of a hold, at most {@code most} with at most {@code bytes} together; at least one. */
    static List<HeldMessage> first(DSLContext dsl, long holdId, int most, long bytes) {
        var some = dsl.select(HELD_MESSAGE.PLACE, WEIGHT)
                .from(HELD_MESSAGE)
                .where(HELD_MESSAGE.HOLD_ID.eq(holdId))
                .orderBy(HELD_MESSAGE.PLACE)
                .limit(most)
                .fetch();
        int fit = 0;
        long all = 0;
        for (var message : some) {
            all += message.get(WEIGHT);
            if (all > bytes && fit > 0) {
                break;
            }
            fit++;
        }
        return after(dsl, holdId, 0, fit);
    }

    static List<HeldMessage> after(DSLContext dsl, long holdId, long place, int most) {
        return dsl.select(COLUMNS)
                .from(HELD_MESSAGE)
                .where(HELD_MESSAGE.HOLD_ID.eq(holdId), HELD_MESSAGE.PLACE.gt(place))
                .orderBy(HELD_MESSAGE.PLACE)
                .limit(most)
                .fetch(HeldMessages::message);
    }

    static int count(DSLContext dsl, long holdId) {
        return dsl.fetchCount(HELD_MESSAGE, HELD_MESSAGE.HOLD_ID.eq(holdId));
    }

    /** False if the hold contains the message or dead letter already, or an erasure order forbids it. */
    static boolean add(DSLContext tx, long holdId, @Nullable Long deadLetter, Origin origin, MessageContent content) {
        tx.connection(BinaryParameters::require);
        int added = tx.insertInto(HELD_MESSAGE)
                .set(HELD_MESSAGE.HOLD_ID, holdId)
                .set(HELD_MESSAGE.DEAD_LETTER, deadLetter)
                .set(HELD_MESSAGE.ORIGIN_POSITION, origin.position())
                .set(HELD_MESSAGE.ORIGIN_TIME, utc(origin.time()))
                .set(HELD_MESSAGE.DELIVERIES, origin.deliveries())
                .set(columns(content))
                .onConflictDoNothing()
                .execute();
        return added == 1;
    }

    static OptionalLong placeOf(DSLContext tx, long holdId, long deadLetter) {
        return tx.select(HELD_MESSAGE.PLACE)
                .from(HELD_MESSAGE)
                .where(HELD_MESSAGE.HOLD_ID.eq(holdId), HELD_MESSAGE.DEAD_LETTER.eq(deadLetter))
                .fetchOptional(HELD_MESSAGE.PLACE)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    static void replace(DSLContext tx, long holdId, long place, MessageContent content) {
        tx.connection(BinaryParameters::require);
        tx.update(HELD_MESSAGE)
                .set(columns(content))
                .where(HELD_MESSAGE.HOLD_ID.eq(holdId), HELD_MESSAGE.PLACE.eq(place))
                .execute();
    }

    static int remove(DSLContext tx, long holdId, Collection<Long> places) {
        return tx.deleteFrom(HELD_MESSAGE)
                .where(HELD_MESSAGE.HOLD_ID.eq(holdId), HELD_MESSAGE.PLACE.in(places))
                .execute();
    }

    static boolean none(DSLContext tx, long holdId) {
        return !tx.fetchExists(HELD_MESSAGE, HELD_MESSAGE.HOLD_ID.eq(holdId));
    }

    private static Map<Field<?>, @Nullable Object> columns(MessageContent content) {
        @Nullable Duration timeToLive = content.timeToLive();
        @Nullable Instant scheduled = content.scheduledEnqueueTime();
        var columns = new LinkedHashMap<Field<?>, @Nullable Object>();
        columns.put(HELD_MESSAGE.SESSION_ID, content.sessionId());
        columns.put(HELD_MESSAGE.MESSAGE_ID, content.messageId());
        columns.put(HELD_MESSAGE.BROKER_MESSAGE_ID, content.brokerMessageId());
        columns.put(HELD_MESSAGE.PARTITION_KEY, content.partitionKey());
        columns.put(HELD_MESSAGE.SUBJECT, content.subject());
        columns.put(HELD_MESSAGE.CONTENT_TYPE, content.contentType());
        columns.put(HELD_MESSAGE.CORRELATION_ID, content.correlationId());
        columns.put(HELD_MESSAGE.TO_ADDRESS, content.toAddress());
        columns.put(HELD_MESSAGE.REPLY_TO, content.replyTo());
        columns.put(HELD_MESSAGE.REPLY_TO_SESSION_ID, content.replyToSessionId());
        columns.put(HELD_MESSAGE.TIME_TO_LIVE, timeToLive == null ? null : timeToLive.toMillis());
        columns.put(HELD_MESSAGE.SCHEDULED_ENQUEUE_TIME, scheduled == null ? null : utc(scheduled));
        columns.put(HELD_MESSAGE.HEADERS, content.headers());
        columns.put(HELD_MESSAGE.PAYLOAD, content.body());
        return columns;
    }

    private static HeldMessage message(Record row) {
        var origin = new Origin(
                row.get(HELD_MESSAGE.ORIGIN_POSITION),
                row.get(HELD_MESSAGE.ORIGIN_TIME).toInstant(),
                row.get(HELD_MESSAGE.DELIVERIES));
        return new HeldMessage(row.get(HELD_MESSAGE.PLACE), origin, row.get(HELD_MESSAGE.DEAD_LETTER), content(row));
    }

    private static MessageContent content(Record row) {
        @Nullable Long timeToLive = row.get(HELD_MESSAGE.TIME_TO_LIVE);
        @Nullable OffsetDateTime scheduled = row.get(HELD_MESSAGE.SCHEDULED_ENQUEUE_TIME);
        return MessageContent.builder(row.get(HELD_MESSAGE.MESSAGE_ID))
                .brokerMessageId(row.get(HELD_MESSAGE.BROKER_MESSAGE_ID))
                .sessionId(row.get(HELD_MESSAGE.SESSION_ID))
                .partitionKey(row.get(HELD_MESSAGE.PARTITION_KEY))
                .subject(row.get(HELD_MESSAGE.SUBJECT))
                .contentType(row.get(HELD_MESSAGE.CONTENT_TYPE))
                .correlationId(row.get(HELD_MESSAGE.CORRELATION_ID))
                .toAddress(row.get(HELD_MESSAGE.TO_ADDRESS))
                .replyTo(row.get(HELD_MESSAGE.REPLY_TO))
                .replyToSessionId(row.get(HELD_MESSAGE.REPLY_TO_SESSION_ID))
                .timeToLive(timeToLive == null ? null : Duration.ofMillis(timeToLive))
                .scheduledEnqueueTime(scheduled == null ? null : scheduled.toInstant())
                .headers(row.get(HELD_MESSAGE.HEADERS))
                .body(row.get(HELD_MESSAGE.PAYLOAD))
                .build();
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
