package dev.waybill.deadletter;

import dev.waybill.schema.StoredText;
import java.util.List;

/**
 * A message or a session to erase. Immutable.
 *
 * @param id the logical id of a message, or the name of a session
 * @param live whether pending, scheduled and held messages are erased too, and thereby lost
 */
public record ErasureRequest(Kind kind, String id, boolean live) {
    public enum Kind {
        MESSAGE,
        /** All messages of a session that were enqueued up to the order. */
        SESSION
    }

    public ErasureRequest {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("An erasure needs the id of a message or of a session");
        }
    }

    /** The forms in which tables may hold the id: each gets an order. */
    List<String> stored() {
        return StoredText.forms(id);
    }

    public static ErasureRequest message(String id) {
        return new ErasureRequest(Kind.MESSAGE, id, false);
    }

    public static ErasureRequest session(String id) {
        return new ErasureRequest(Kind.SESSION, id, false);
    }

    /** Also erases messages that are pending, scheduled or held. */
    public ErasureRequest withLive() {
        return new ErasureRequest(kind, id, true);
    }
}
