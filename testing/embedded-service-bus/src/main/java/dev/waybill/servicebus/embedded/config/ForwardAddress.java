package dev.waybill.servicebus.embedded.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where an entity forwards to. Clients name the target by an address and expect that address back.
 *
 * @param given the target as it was named, or null for none
 * @param path the target's path, or null for none
 */
record ForwardAddress(@Nullable String given, @Nullable String path) {
    static final ForwardAddress NONE = new ForwardAddress(null, null);

    /**
     * Reads a path or an address.
     *
     * @throws IllegalArgumentException if it has the form of an address and is none
     */
    static ForwardAddress of(@Nullable String given) {
        if (given == null || !given.contains("://")) {
            return given == null ? NONE : new ForwardAddress(given, given);
        }
        String path = URI.create(given).getPath();
        String trimmed = path.startsWith("/") ? path.substring(1) : path;
        return new ForwardAddress(given, trimmed.endsWith("/") ? trimmed.substring(0, trimmed.length() - 1) : trimmed);
    }
}
