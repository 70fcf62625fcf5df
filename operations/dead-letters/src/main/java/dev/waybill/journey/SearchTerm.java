package dev.waybill.journey;

import dev.waybill.schema.StoredText;
import java.util.List;

/**
 * By what a journey is looked for.
 *
 * @param kind what the text is
 * @param text as it was given to the outbox or the broker
 */
public record SearchTerm(Kind kind, String text) {
    /** The kinds of text that can be asked for. */
    public enum Kind {
        /** The logical id. */
        MESSAGE,
        /** All messages of a session. */
        SESSION,
        /** The MessageId on the broker, which is another one for each copy that is re-driven. */
        BROKER_ID,
        /** The trace of the transaction that appended the message: 32 hexadecimal digits. */
        TRACE_ID
    }

    /** Refuses an empty text. */
    public SearchTerm {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A journey is looked for by something that is not empty");
        }
    }

    /** The text as tables may hold it. */
    List<String> stored() {
        return StoredText.forms(text);
    }

    /** A message by its logical id. */
    public static SearchTerm message(String id) {
        return new SearchTerm(Kind.MESSAGE, id);
    }

    /** All messages of a session. */
    public static SearchTerm session(String session) {
        return new SearchTerm(Kind.SESSION, session);
    }

    /** A message by its MessageId on the broker. */
    public static SearchTerm brokerId(String id) {
        return new SearchTerm(Kind.BROKER_ID, id);
    }

    /** Messages by the trace of the transactions that appended them. */
    public static SearchTerm traceId(String id) {
        return new SearchTerm(Kind.TRACE_ID, id);
    }
}
