package dev.waybill.servicebus.embedded.security;

import java.util.Locale;
import java.util.Set;

/**
 * The rights of one token.
 *
 * @param scope a path, lower case, including everything below; empty for the namespace
 * @param expiresSeconds epoch seconds
 */
public record Grant(String scope, Set<AccessRight> rights, long expiresSeconds) {
    public Grant {
        scope = scope.toLowerCase(Locale.ROOT);
        rights = Set.copyOf(rights);
    }

    public boolean covers(String path) {
        String wanted = path.toLowerCase(Locale.ROOT);
        return scope.isEmpty() || wanted.equals(scope) || wanted.startsWith(scope + "/");
    }

    /** {@link AccessRight#MANAGE} includes every right. */
    public boolean allows(AccessRight right) {
        return rights.contains(right) || rights.contains(AccessRight.MANAGE);
    }
}
