package dev.waybill.servicebus.embedded.security;

import java.util.Locale;
import java.util.Set;

/**
 * The rights that one token gives.
 *
 * @param scope the path it is for, in small letters, with everything below it; empty for the whole namespace
 * @param rights what may be done there
 * @param expiresSeconds when it ends, in seconds since the epoch
 */
public record Grant(String scope, Set<AccessRight> rights, long expiresSeconds) {
    public Grant {
        scope = scope.toLowerCase(Locale.ROOT);
        rights = Set.copyOf(rights);
    }

    /** Whether it is for this path. */
    public boolean covers(String path) {
        String wanted = path.toLowerCase(Locale.ROOT);
        return scope.isEmpty() || wanted.equals(scope) || wanted.startsWith(scope + "/");
    }

    /** Whether it holds this right; the right to manage holds every other. */
    public boolean allows(AccessRight right) {
        return rights.contains(right) || rights.contains(AccessRight.MANAGE);
    }
}
