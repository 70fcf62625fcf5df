package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.mailbox.Requester;
import dev.waybill.servicebus.embedded.mailbox.SessionLookup;
import dev.waybill.servicebus.embedded.message.Timestamps;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.jspecify.annotations.Nullable;

final class SessionOperations {
    /** 31 December 9999, midnight: clients round the last instant of that day differently. */
    private static final long LAST_DAY_MILLIS = 253_402_214_400_000L;

    private final Namespace namespace;
    private final String path;

    SessionOperations(Namespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
    }

    void register(Map<String, Operation> operations) {
        operations.put("renew-session-lock", this::renew);
        operations.put("get-session-state", this::state);
        operations.put("set-session-state", this::setState);
        operations.put("get-message-sessions", this::list);
    }

    private SessionLookup sessions(Requester by) {
        return new SessionLookup(namespace.mailbox(path), by);
    }

    private Reply renew(Arguments arguments, Requester by) {
        long until = sessions(by).renew(arguments.requiredText("session-id"));
        return Reply.ok(Map.of(
                "expiration", Timestamps.of(namespace.context().loop().clock().toWall(until))));
    }

    private Reply state(Arguments arguments, Requester by) {
        byte[] state = sessions(by).state(arguments.requiredText("session-id"));
        Map<String, Object> body = new HashMap<>();
        body.put("session-state", state == null ? null : new Binary(state));
        return Reply.ok(body);
    }

    private Reply setState(Arguments arguments, Requester by) {
        sessions(by).setState(arguments.requiredText("session-id"), arguments.bytes("session-state"));
        return Reply.ok();
    }

    private Reply list(Arguments arguments, Requester by) {
        int skip = arguments.page("skip", 0);
        int top = arguments.page("top", 100);
        String after = arguments.text("last-session-id");
        List<String> ids = sessions(by).list(updatedSince(arguments), after, after == null ? skip : 0, top);
        if (ids.isEmpty()) {
            return Reply.nothing();
        }
        return Reply.ok(Map.of("skip", skip + ids.size(), "sessions-ids", ids.toArray(new String[0])));
    }

    // .NET's greatest instant requests the sessions with messages.
    private static @Nullable Long updatedSince(Arguments arguments) {
        Long moment = arguments.moment("last-updated-time");
        return moment == null || moment >= LAST_DAY_MILLIS ? null : moment;
    }
}
