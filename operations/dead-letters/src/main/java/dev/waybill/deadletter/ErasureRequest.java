package dev.waybill.deadletter;

import dev.waybill.schema.StoredText;
import java.util.List;

/**
 * A message or a session that is to be forgotten. Immutable.
 *
 * @param id the logical id of a message, or the name of a session
 * @param live whether also what is still on its way is taken: pending, scheduled and held messages, which are lost thereby
 */
public record ErasureRequest(Kind kind, String id, boolean live) {
    /** By what it is named. */
    public enum Kind {
        /** One message, by its logical id, for ever. */
        MESSAGE,
        /** All messages of a session that were enqueued up to the order. */
        SESSION
    }

    /** Refuses an empty id. */
    public ErasureRequest {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("An erasure needs the id of a message or of a session");
        }
    }

    /** The id as tables may hold it: an order is given for each form. */
    List<String> stored() {
        return StoredText.forms(id);
    }

    /** A message by its logical id, but for what is still on its way. */
    public static ErasureRequest message(String id) {
        return new ErasureRequest(Kind.MESSAGE, id, false);
    }

    /** The messages of a session, but for what is still on its way. */
    public static ErasureRequest session(String id) {
        return new ErasureRequest(Kind.SESSION, id, false);
    }

    /** The same, and also what is pending, scheduled or held. */
    public ErasureRequest withLive() {
        return new ErasureRequest(kind, id, true);
    }
}
