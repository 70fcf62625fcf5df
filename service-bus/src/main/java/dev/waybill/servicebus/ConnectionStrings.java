package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Builders of clients from a connection string. */
public final class ConnectionStrings {
    private static final Set<String> KNOWN = Set.of(
            "endpoint", "sharedaccesskeyname", "sharedaccesskey", "sharedaccesssignature", "usedevelopmentemulator");

    private ConnectionStrings() {}

    /** Returns a factory of new builders. Throws an {@link IllegalArgumentException} at once if the string is invalid. */
    public static Supplier<ServiceBusClientBuilder> builders(String connectionString) {
        require(connectionString);
        Supplier<ServiceBusClientBuilder> builders =
                () -> new ServiceBusClientBuilder().connectionString(connectionString);
        var unused = builders.get();
        return builders;
    }

    /** Throws an {@link IllegalArgumentException} with {@link #problem}, if there is one. */
    public static void require(String connectionString) {
        Objects.requireNonNull(connectionString, "connectionString");
        problem(connectionString).ifPresent(words -> {
            throw new IllegalArgumentException("The connection string " + words);
        });
    }

    /** What the SDK would refuse only when it connects, as the end of a sentence. Names keys, never values. */
    public static Optional<String> problem(String connectionString) {
        for (String part : connectionString.split(";", -1)) {
            int sign = part.indexOf('=');
            String key = (sign < 0 ? part : part.substring(0, sign)).strip();
            if (key.equalsIgnoreCase("EntityPath")) {
                return Optional.of("has the key '" + key + "', which binds it to one entity: remove it. A key of that"
                        + " entity stays valid there");
            }
            if (sign < 0 && !key.isEmpty()) {
                return Optional.of("has a part without '=': give key=value pairs, separated by semicolons");
            }
            if (sign >= 0 && !KNOWN.contains(key.toLowerCase(Locale.ROOT))) {
                return Optional.of(
                        "has the key '" + key + "', which the client library does not know; remove it. It knows"
                                + " Endpoint, SharedAccessKeyName, SharedAccessKey, SharedAccessSignature and"
                                + " UseDevelopmentEmulator");
            }
        }
        return Optional.empty();
    }
}
