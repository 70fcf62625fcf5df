package dev.waybill.schema;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Names in statements that are printed or executed. */
public final class Identifier {
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

    /** PostgreSQL cuts longer names, so that they would name something else. */
    private static final int LONGEST = 63;

    private Identifier() {}

    /**
     * The name as it is spelled, in quotes if it needs them. {@code public} stays the name for all roles.
     *
     * @throws IllegalArgumentException if no identifier of PostgreSQL has this name
     */
    public static String quoted(String name) {
        if (name.isEmpty() || name.indexOf(0) >= 0 || name.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name in PostgreSQL, which has 1 to " + LONGEST + " bytes");
        }
        return PLAIN.matcher(name).matches() && !SchemaName.RESERVED.contains(name)
                ? name
                : '"' + name.replace("\"", "\"\"") + '"';
    }
}
