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

/** Detaches links when the token that allowed them expires without renewal, as Service Bus does. Checks only when a token expires. */
final class TokenWatch {
    /** Tokens count in seconds, and timers may fire slightly early. */
    private static final long MARGIN_MILLIS = 20;

    /** A token may expire in any year, so longer waits are split. */
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

    /** Requires a right now, and at the end of every token. */
    void require(Link link, String path, AccessRight right) {
        connection.permissions().require(path, right);
        if (!broker.authority().open()) {
            needs.put(link, new Need(path, right));
        }
    }

    void forget(Link link) {
        needs.remove(link);
    }

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
