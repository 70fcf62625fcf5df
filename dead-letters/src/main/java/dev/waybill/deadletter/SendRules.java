package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import java.util.Arrays;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The reasons that keep a message from being sent through the outbox; for rows and for contents, in the same
 * words.
 */
final class SendRules {
    // jsonb, in which the outbox keeps properties, has no such character.
    private static final String NUL = "\\u0000";

    /** Of a letter that was redacted, or imported without its body. */
    static final String EMPTIED = "cannot be sent as it came: it was redacted, or imported without its body";

    private static final String OF_ROW = """
            case
              when {5} is not null then '%s'
              when {0} not in ('data', 'text') then 'has a body that is not made of bytes'
              when length({1}) not between 1 and 128 then 'has an id of more than 128 characters'
              when length({2}) not between 1 and 128 then 'has a session of more than 128 characters, or of none'
              when length({3}) > 128 then 'has a partition key of more than 128 characters'
              when {3} <> {2} then 'has a partition key other than its session'
              when position('\\u0000' in {4}) > 0 then 'has a NUL character in its properties'
            end""".formatted(EMPTIED);

    private SendRules() {}

    /** Of a row; null if there is none. */
    static Field<String> ofRow() {
        return DSL.field(
                OF_ROW,
                SQLDataType.VARCHAR,
                DEAD_LETTER.BODY_KIND,
                DEAD_LETTER.MESSAGE_ID,
                DEAD_LETTER.SESSION_ID,
                DEAD_LETTER.PARTITION_KEY,
                DEAD_LETTER.HEADERS,
                DEAD_LETTER.EMPTIED);
    }

    /** Of a content; null if there is none. */
    static @Nullable String of(MessageContent content) {
        @Nullable String session = content.sessionId();
        @Nullable String partitionKey = content.partitionKey();
        @Nullable String headers = content.headers();
        if (isTooLong(content.messageId())) {
            return "has an id of more than 128 characters";
        }
        if (session != null && (session.isEmpty() || isTooLong(session))) {
            return "has a session of more than 128 characters, or of none";
        }
        if (partitionKey != null && isTooLong(partitionKey)) {
            return "has a partition key of more than 128 characters";
        }
        if (session != null && partitionKey != null && !partitionKey.equals(session)) {
            return "has a partition key other than its session";
        }
        return headers != null && headers.contains(NUL) ? "has a NUL character in its properties" : null;
    }

    /** Of a dead letter once it says this; null if there is none. */
    static @Nullable String of(DeadLetter letter, MessageContent content) {
        if (letter.course().emptied() != null) {
            return EMPTIED;
        }
        boolean bytes = letter.bodyKind() == BodyKind.DATA || letter.bodyKind() == BodyKind.TEXT;
        return bytes || !Arrays.equals(letter.content().body(), content.body())
                ? of(content)
                : "has a body that is not made of bytes";
    }

    private static boolean isTooLong(String id) {
        return id.codePointCount(0, id.length()) > WireContract.MAX_ID_LENGTH;
    }
}
