package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.Authority;
import dev.waybill.servicebus.embedded.security.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The rights of one connection's tokens. */
final class Permissions {
    static final long NEVER = Long.MAX_VALUE;

    private final Authority authority;
    private final LongSupplier nowSeconds;
    private final List<Grant> grants = new ArrayList<>();

    Permissions(Authority authority, LongSupplier nowSeconds) {
        this.authority = authority;
        this.nowSeconds = nowSeconds;
    }

    /** Rejects an invalid token. */
    void present(String token) {
        if (!authority.open()) {
            Grant grant = authority.examine(token, nowSeconds.getAsLong());
            grants.removeIf(older -> older.scope().equals(grant.scope()));
            grants.add(grant);
        }
    }

    /** The end of the next token in epoch seconds; {@link #NEVER} without a valid token. */
    long nextEndSeconds() {
        long now = nowSeconds.getAsLong();
        return grants.stream()
                .mapToLong(Grant::expiresSeconds)
                .filter(end -> end > now)
                .min()
                .orElse(NEVER);
    }

    /** Throws unless a token covers the path with the right; any right will do for null. */
    void require(String path, @Nullable AccessRight right) {
        if (authority.open()) {
            return;
        }
        Refused why = Authority.denied("'" + path + "' is not covered by a token.");
        for (Grant grant : grants) {
            if (grant.covers(path)) {
                if (grant.expiresSeconds() <= nowSeconds.getAsLong()) {
                    why = Authority.denied("The token has expired.");
                } else if (right == null || grant.allows(right)) {
                    return;
                } else {
                    why = Authority.lacking(right, path);
                }
            }
        }
        throw why;
    }
}
