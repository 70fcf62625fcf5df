package dev.waybill.servicebus.embedded.administration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request.
 *
 * @param method GET, PUT or DELETE
 * @param path the segments of its path, decoded
 * @param skip how many entities of a list to pass over
 * @param top how many entities of a list to tell at most
 * @param update whether a PUT changes an entity that must exist
 * @param body the document sent, or null
 */
record Request(
        String method,
        List<String> path,
        int skip,
        int top,
        boolean update,
        @Nullable XmlElement body) {
    boolean isGet() {
        return method.equals("GET");
    }

    boolean isDelete() {
        return method.equals("DELETE");
    }

    /** The description of that name in the body; refuses the request if there is none. */
    XmlElement description(String name) {
        XmlElement found = body == null ? null : body.find(name);
        if (found == null) {
            throw new IllegalArgumentException("The request's body holds no " + name);
        }
        return found;
    }
}
