package dev.waybill.standalone.topology.export;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Allocates unique, stable names in a template. Not thread-safe. */
final class Symbols {
    /** Bicep allows 255 characters, Azure 260 in an alert's name, which contains a symbol. */
    private static final int LONGEST = 180;

    private final Set<String> taken = new HashSet<>();

    /**
     * A name of letters, digits and underscores that starts with a letter. It is also unique in the snake case of Terraform and
     * the shell.
     */
    String of(String prefix, String... names) {
        String joined = prefix + "_" + String.join("_", names);
        String all = joined.replaceAll("[^A-Za-z0-9]+", "_");
        String base = all.substring(0, Math.min(LONGEST, all.length())).replaceAll("_+$", "");
        String symbol = base;
        for (int i = 2; !taken.add(snake(symbol)); i++) {
            symbol = base + "_" + i;
        }
        return symbol;
    }

    /** {@code namespaceName} becomes {@code namespace_name}. */
    static String snake(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
