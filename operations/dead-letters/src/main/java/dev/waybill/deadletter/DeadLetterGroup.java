package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import java.time.Duration;
import java.util.List;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters with something in common.
 *
 * @param key the values by which they were grouped, in the order asked for; null where they have none
 * @param count how many
 * @param oldestAge since the first of them was enqueued in its entity
 * @param longestHere since the first of them was collected
 */
public record DeadLetterGroup(List<@Nullable String> key, long count, Duration oldestAge, Duration longestHere) {

    /** By what dead letters are counted. */
    public enum By {
        /** The path of queue or subscription. */
        ENTITY,
        /** The reason. */
        REASON,
        /** The exception that reason or description name. */
        EXCEPTION_TYPE,
        /** The subject. */
        SUBJECT,
        /** The session. */
        SESSION,
        /** The state. */
        STATE;

        Field<String> field() {
            return switch (this) {
                case ENTITY -> DEAD_LETTER.ENTITY;
                case REASON -> DEAD_LETTER.REASON;
                case EXCEPTION_TYPE -> DEAD_LETTER.EXCEPTION_TYPE;
                case SUBJECT -> DEAD_LETTER.SUBJECT;
                case SESSION -> DEAD_LETTER.SESSION_ID;
                case STATE -> DEAD_LETTER.STATE;
            };
        }
    }
}
