package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.Timers;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.Authority;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.proton.engine.Link;
import org.jspecify.annotations.Nullable;

/**
 * Takes open links away when the token that allowed them ends and was not renewed, as Service Bus does. It looks when a
 * token ends and at no other time.
 */
final class TokenWatch {
    /** A token counts in seconds, and timers may be early by a little. */
    private static final long MARGIN_MILLIS = 20;

    /** A token may end in any year; it is looked at again until then. */
    private static final long LONGEST_WAIT_SECONDS = 86_400;

    private final Broker broker;
    private final AmqpConnection connection;
    private final Map<Link, Need> needs = new LinkedHashMap<>();
    private Timers.@Nullable Timer next;

    private record Need(String path, AccessRight right) {}

    TokenWatch(Broker broker, AmqpConnection connection) {
        this.broker = broker;
        this.connection = connection;
    }

    /** Asks for a right now, and again whenever a token ends. */
    void require(Link link, String path, AccessRight right) {
        connection.permissions().require(path, right);
        if (!broker.authority().open()) {
            needs.put(link, new Need(path, right));
        }
    }

    void forget(Link link) {
        needs.remove(link);
    }

    /** A token has come. */
    void presented() {
        stop();
        long wall = broker.loop().clock().wallMillis();
        long end = connection.permissions().nextEndSeconds();
        if (end != Permissions.NEVER && !connection.ended()) {
            long until = Math.min(end, wall / 1_000 + LONGEST_WAIT_SECONDS) * 1_000;
            next = broker.loop().network().in(Math.max(0, until - wall) + MARGIN_MILLIS, this::look);
        }
    }

    private void look() {
        Map.copyOf(needs).forEach(this::look);
        presented();
    }

    private void look(Link link, Need need) {
        try {
            connection.permissions().require(need.path, need.right);
        } catch (Refused why) {
            String ended = Authority.lacking(need.right, need.path).description();
            connection.detach(
                    link,
                    new Refused(
                            BrokerError.DETACH_FORCED,
                            "The link '" + link.getName() + "' is force detached. Code: RenewToken. Details: "
                                    + ended));
        }
    }

    void stop() {
        if (next != null) {
            next.cancel();
        }
    }
}
