package dev.waybill.servicebus.embedded.amqp;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** What the tokens that one connection has presented let it use. */
final class Permissions {
    private final SasKeys keys;
    private final Set<String> scopes = new HashSet<>();

    Permissions(SasKeys keys) {
        this.keys = keys;
    }

    /** Takes a token; refuses one that is not good. */
    void present(String token, long nowSeconds) {
        if (keys.required()) {
            scopes.add(keys.scopeOf(token, nowSeconds).toLowerCase(Locale.ROOT));
        }
    }

    /** Refuses if no token covers the path. */
    void require(String path) {
        if (!keys.required()) {
            return;
        }
        String wanted = path.toLowerCase(Locale.ROOT);
        boolean covered = scopes.stream()
                .anyMatch(scope -> scope.isEmpty() || wanted.equals(scope) || wanted.startsWith(scope + "/"));
        if (!covered) {
            throw SasKeys.denied("'" + path + "' is not covered by a token.");
        }
    }
}
