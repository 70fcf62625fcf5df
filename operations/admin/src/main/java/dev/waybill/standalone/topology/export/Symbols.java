package dev.waybill.standalone.topology.export;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Names of things inside a template: different for different things, and the same each time. Not thread-safe. */
final class Symbols {
    /** Bicep takes 255 characters and Azure 260 in an alert's name; names are made of these, too. */
    private static final int LONGEST = 180;

    private final Set<String> taken = new HashSet<>();

    /**
     * A name made of these, of letters, digits and underscores, which begins with a letter. It differs from all others in
     * the snake case of Terraform and of the shell, too.
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

    /** {@code namespaceName} is {@code namespace_name}. */
    static String snake(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
