package dev.waybill.servicebus.embedded.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A forwarding target. Clients give an address and expect it back unchanged.
 *
 * @param given null for none
 * @param path null for none
 */
record ForwardAddress(@Nullable String given, @Nullable String path) {
    static final ForwardAddress NONE = new ForwardAddress(null, null);

    /** Throws {@code IllegalArgumentException} if an address is malformed. */
    static ForwardAddress of(@Nullable String given) {
        if (given == null || !given.contains("://")) {
            return given == null ? NONE : new ForwardAddress(given, given);
        }
        String path = URI.create(given).getPath();
        String trimmed = path.startsWith("/") ? path.substring(1) : path;
        return new ForwardAddress(given, trimmed.endsWith("/") ? trimmed.substring(0, trimmed.length() - 1) : trimmed);
    }
}
