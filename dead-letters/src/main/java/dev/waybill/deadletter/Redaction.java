package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;

import dev.waybill.message.Headers;
import dev.waybill.message.WireContract;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Takes the content of a message out of its dead letter. */
final class Redaction {
    private static final String OURS = "waybill-";

    private static final List<Field<String>> TEXTS = List.of(
            DEAD_LETTER.PARTITION_KEY,
            DEAD_LETTER.SUBJECT,
            DEAD_LETTER.CONTENT_TYPE,
            DEAD_LETTER.CORRELATION_ID,
            DEAD_LETTER.TO_ADDRESS,
            DEAD_LETTER.REPLY_TO,
            DEAD_LETTER.REPLY_TO_SESSION_ID);

    private Redaction() {}

    /** Takes it out of a row of the view. */
    static void apply(Record row) {
        row.set(DEAD_LETTER.PAYLOAD, new byte[0]);
        row.set(DEAD_LETTER.DESCRIPTION, "");
        row.set(DEAD_LETTER.CLAIM, null);
        row.set(DEAD_LETTER.HEADERS, properties(row.get(DEAD_LETTER.HEADERS)));
        row.set(DEAD_LETTER.EMPTIED, Emptied.column(Emptied.REDACTED));
        TEXTS.forEach(text -> row.set(text, null));
    }

    /** The values that this has changed, by the columns of the table. */
    static Map<Field<?>, @Nullable Object> columns(Record row) {
        var columns = new LinkedHashMap<Field<?>, @Nullable Object>();
        columns.put(DEAD_LETTER_MESSAGE.PAYLOAD, row.get(DEAD_LETTER.PAYLOAD));
        columns.put(DEAD_LETTER_MESSAGE.DESCRIPTION, "");
        columns.put(DEAD_LETTER_MESSAGE.CLAIM, null);
        columns.put(DEAD_LETTER_MESSAGE.HEADERS, row.get(DEAD_LETTER.HEADERS));
        columns.put(DEAD_LETTER_MESSAGE.EMPTIED, row.get(DEAD_LETTER.EMPTIED));
        TEXTS.forEach(text -> columns.put(DEAD_LETTER_MESSAGE.field(text.getName()), null));
        return columns;
    }

    private static @Nullable String properties(@Nullable String headers) {
        if (headers == null) {
            return null;
        }
        var left = new LinkedHashMap<>(Headers.read(headers));
        left.keySet().removeIf(name -> !name.startsWith(OURS) || name.equals(WireContract.CLAIM));
        return left.isEmpty() ? null : Headers.write(left);
    }
}
