package dev.waybill.proof.role;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The terms of a process of the cast, handed over as {@code name=value} on its command line.
 *
 * @param values by name
 */
record Terms(Map<String, String> values) {
    /** The topic that everything goes to. */
    static final String DESTINATION = "transfers";

    static final Duration LEASE = Duration.ofSeconds(5);
    static final Duration LOCK = Duration.ofSeconds(10);
    static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(5);

    static Terms of(String[] arguments, int from) {
        var values = new HashMap<String, String>();
        for (int i = from; i < arguments.length; i++) {
            String[] pair = arguments[i].split("=", 2);
            values.put(pair[0], pair[1]);
        }
        return new Terms(Map.copyOf(values));
    }

    String jdbcUrl() {
        return text("jdbc-url");
    }

    String serviceBus() {
        return text("service-bus");
    }

    String name() {
        return text("name");
    }

    long number(String name) {
        return Long.parseLong(text(name));
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The term " + name + " is missing");
        }
        return value;
    }
}
