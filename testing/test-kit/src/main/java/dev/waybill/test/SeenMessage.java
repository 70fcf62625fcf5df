package dev.waybill.test;

import java.util.Optional;

/**
 * A message as a test finds it.
 *
 * @param place the destination, the entity or the consumer
 * @param subject empty also where it is not known
 * @param body as text; empty where it is not known
 * @param detail anything else, for instance why the message is held
 */
public record SeenMessage(
        String id, String place, Optional<String> session, Optional<String> subject, String body, String detail) {
    static SeenMessage of(String id, String place, Optional<String> session, String detail) {
        return new SeenMessage(id, place, session, Optional.empty(), "", detail);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("'" + id + "' (" + place);
        session.ifPresent(name -> text.append(", session '").append(name).append('\''));
        subject.ifPresent(name -> text.append(", ").append(name));
        text.append(')');
        if (!body.isEmpty()) {
            text.append(' ').append(body.length() <= 100 ? body : body.substring(0, 100) + "…");
        }
        return detail.isEmpty()
                ? text.toString()
                : text.append(": ").append(detail).toString();
    }
}
