package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.message.BrokerNames;
import java.time.Duration;
import java.util.List;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * A number of dead letters with the same values.
 *
 * @param key the values, in the order asked for; null where the letters have none
 * @param oldestAge since the first of them was enqueued in its entity
 * @param longestHere since the first of them was collected
 */
public record DeadLetterGroup(List<@Nullable String> key, long count, Duration oldestAge, Duration longestHere) {

    public enum By {
        /** The path of the queue or subscription. */
        ENTITY,
        REASON,
        EXCEPTION_TYPE,
        SUBJECT,
        SESSION,
        STATE;

        Field<String> field() {
            return switch (this) {
                case ENTITY -> DEAD_LETTER.ENTITY;
                case REASON -> DEAD_LETTER.REASON;
                case EXCEPTION_TYPE -> DEAD_LETTER.EXCEPTION_TYPE;
                case SUBJECT -> DEAD_LETTER.SUBJECT;
                case SESSION -> BrokerNames.key(DEAD_LETTER.SESSION_ID);
                case STATE -> DEAD_LETTER.STATE;
            };
        }
    }
}
