package dev.waybill.servicebus.embedded.security;

import java.util.Set;

/**
 * A shared access key.
 *
 * @param secret the key in connection strings
 * @param rights within the scope of a token
 */
public record AccessKey(String secret, Set<AccessRight> rights) {
    public AccessKey {
        rights = Set.copyOf(rights);
    }
}
