package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.Authority;
import dev.waybill.servicebus.embedded.security.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requires the Manage right for the entity and for the entity that it forwards to, by one token or two. Azure's sample on
 * auto-forwarding asks for both rights. Azure's client for Java 7.17.20 sends the target's token in these headers.
 */
final class Access {
    private static final String FORWARD_TOKEN = "ServiceBusSupplementaryAuthorization";
    private static final String FORWARD_DEAD_LETTERS_TOKEN = "ServiceBusDlqSupplementaryAuthorization";

    private final Authority authority;
    private final HttpRequest http;
    private final long nowSeconds;

    Access(Authority authority, HttpRequest http, long nowSeconds) {
        this.authority = authority;
        this.http = http;
        this.nowSeconds = nowSeconds;
    }

    /** Throws {@code Refused} if a right is missing. */
    void require(Request request) {
        if (authority.open()) {
            return;
        }
        Grant grant = grant("Authorization");
        manages(grant, String.join("/", request.path()));
        for (String kind : List.of("QueueDescription", "SubscriptionDescription")) {
            if (request.describes(kind)) {
                XmlElement description = request.description(kind);
                target(grant, FORWARD_TOKEN, description.text("ForwardTo"));
                target(grant, FORWARD_DEAD_LETTERS_TOKEN, description.text("ForwardDeadLetteredMessagesTo"));
            }
        }
    }

    private void target(Grant main, String header, @Nullable String address) {
        String path = QueueOptions.defaults().forwardTo(address).forwardTo();
        if (path != null && !(main.covers(path) && main.allows(AccessRight.MANAGE))) {
            manages(grant(header), path);
        }
    }

    private Grant grant(String header) {
        String token = http.header(header);
        if (token == null) {
            throw Authority.denied("The request has no token in the header " + header + ".");
        }
        return authority.examine(token, nowSeconds);
    }

    private static void manages(Grant grant, String path) {
        if (!grant.covers(path)) {
            throw Authority.denied("'" + path + "' is not covered by the token.");
        }
        if (!grant.allows(AccessRight.MANAGE)) {
            throw Authority.lacking(AccessRight.MANAGE, path);
        }
    }
}
