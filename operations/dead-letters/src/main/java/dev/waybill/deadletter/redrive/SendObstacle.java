package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import java.util.Arrays;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Why a letter cannot be sent: {@link SendRules}, a missing body, or one that is not bytes. */
final class SendObstacle {
    private static final String EMPTIED = "cannot be sent as it came: it was redacted, or imported without its body";

    private static final String NO_BYTES = "has a body that is not made of bytes";

    private static final String OF_ROW = """
            (select case
              when r.emptied is not null then '%s'
              when r.body_kind not in ('data', 'text') then '%s'
              %s
            end from (select {0} as emptied, {1} as body_kind, {2} as message_id, {3} as session_id,
              {4} as partition_key, {5} as headers) r)""".formatted(EMPTIED, NO_BYTES, SendRules.sqlBranches());

    private SendObstacle() {}

    static Field<String> ofRow() {
        return DSL.field(
                OF_ROW,
                SQLDataType.VARCHAR,
                DEAD_LETTER.EMPTIED,
                DEAD_LETTER.BODY_KIND,
                DEAD_LETTER.MESSAGE_ID,
                DEAD_LETTER.SESSION_ID,
                DEAD_LETTER.PARTITION_KEY,
                DEAD_LETTER.HEADERS);
    }

    private static @Nullable String violation(MessageContent old, MessageContent changed) {
        @Nullable String broken = SendRules.violation(SendRules.Parts.of(changed));
        return broken != null ? broken : SendRules.violation(old, changed);
    }

    static @Nullable String of(DeadLetter letter, MessageContent content) {
        if (letter.lifecycle().emptied() != null) {
            return EMPTIED;
        }
        boolean bytes = letter.bodyKind() == BodyKind.DATA || letter.bodyKind() == BodyKind.TEXT;
        return bytes || !Arrays.equals(letter.content().body(), content.body())
                ? violation(letter.content(), content)
                : NO_BYTES;
    }
}
