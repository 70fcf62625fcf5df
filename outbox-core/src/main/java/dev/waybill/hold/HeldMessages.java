package dev.waybill.hold;

import static dev.waybill.migrations.jooq.Tables.HELD_MESSAGE;

import dev.waybill.hold.HeldMessage.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The messages of holds. Every call belongs into a transaction that has locked the hold, unless it only looks. */
final class HeldMessages {
    private HeldMessages() {}

    static List<HeldMessage> first(DSLContext dsl, long holdId, int most) {
        return after(dsl, holdId, 0, most);
    }

    static List<HeldMessage> after(DSLContext dsl, long holdId, long place, int most) {
        return dsl.selectFrom(HELD_MESSAGE)
                .where(HELD_MESSAGE.HOLD_ID.eq(holdId), HELD_MESSAGE.PLACE.gt(place))
                .orderBy(HELD_MESSAGE.PLACE)
                .limit(most)
                .fetch(HeldMessages::message);
    }

    static int count(DSLContext dsl, long holdId) {
        return dsl.fetchCount(HELD_MESSAGE, HELD_MESSAGE.HOLD_ID.eq(holdId));
    }

    static void add(DSLContext tx, long holdId, Origin origin, MessageContent content) {
        tx.insertInto(HELD_MESSAGE)
                .set(HELD_MESSAGE.HOLD_ID, holdId)
                .set(HELD_MESSAGE.ORIGIN_POSITION, origin.position())
                .set(HELD_MESSAGE.ORIGIN_TIME, utc(origin.time()))
                .set(HELD_MESSAGE.DELIVERIES, origin.deliveries())
                .set(columns(content))
                .onConflictDoNothing()
                .execute();
    }

    static void replace(DSLContext tx, long holdId, long place, MessageContent content) {
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
        return new HeldMessage(row.get(HELD_MESSAGE.PLACE), origin, content(row));
    }

    private static MessageContent content(Record row) {
        @Nullable Long timeToLive = row.get(HELD_MESSAGE.TIME_TO_LIVE);
        @Nullable OffsetDateTime scheduled = row.get(HELD_MESSAGE.SCHEDULED_ENQUEUE_TIME);
        return new MessageContent(
                row.get(HELD_MESSAGE.MESSAGE_ID),
                row.get(HELD_MESSAGE.BROKER_MESSAGE_ID),
                row.get(HELD_MESSAGE.SESSION_ID),
                row.get(HELD_MESSAGE.PARTITION_KEY),
                row.get(HELD_MESSAGE.SUBJECT),
                row.get(HELD_MESSAGE.CONTENT_TYPE),
                row.get(HELD_MESSAGE.CORRELATION_ID),
                row.get(HELD_MESSAGE.TO_ADDRESS),
                row.get(HELD_MESSAGE.REPLY_TO),
                row.get(HELD_MESSAGE.REPLY_TO_SESSION_ID),
                timeToLive == null ? null : Duration.ofMillis(timeToLive),
                scheduled == null ? null : scheduled.toInstant(),
                row.get(HELD_MESSAGE.HEADERS),
                row.get(HELD_MESSAGE.PAYLOAD));
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
