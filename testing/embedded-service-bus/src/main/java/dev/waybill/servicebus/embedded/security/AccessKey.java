package dev.waybill.servicebus.embedded.security;

import java.util.Set;

/**
 * A shared access key.
 *
 * @param secret the key, as it stands in connection strings
 * @param rights what those who have it may do, wherever the scope of their token reaches
 */
public record AccessKey(String secret, Set<AccessRight> rights) {
    public AccessKey {
        rights = Set.copyOf(rights);
    }
}
