package dev.waybill.journey;

import dev.waybill.schema.StoredText;
import java.util.List;

/** What messages are found by: a text as it was given to the outbox or the broker. */
public record SearchTerm(Kind kind, String text) {
    public enum Kind {
        MESSAGE,
        SESSION,
        /** The MessageId on the broker, which differs for each re-driven copy. */
        BROKER_ID,
        /** The trace of the transaction that appended the message: 32 hexadecimal digits. */
        TRACE_ID
    }

    public SearchTerm {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A search term must not be empty");
        }
    }

    /** The forms in which tables may hold the text. */
    List<String> stored() {
        return StoredText.forms(text);
    }

    public static SearchTerm message(String id) {
        return new SearchTerm(Kind.MESSAGE, id);
    }

    public static SearchTerm session(String session) {
        return new SearchTerm(Kind.SESSION, session);
    }

    public static SearchTerm brokerId(String id) {
        return new SearchTerm(Kind.BROKER_ID, id);
    }

    public static SearchTerm traceId(String id) {
        return new SearchTerm(Kind.TRACE_ID, id);
    }
}
