package dev.waybill.standalone.console.access;

import java.util.Locale;

/** A person's role in a database; each may do what those before it may. */
public enum ConsoleRole {
    /** Sees what waits and what went wrong, and no bodies. */
    VIEWER,
    /** Sees bodies, and decides. */
    OPERATOR,
    /** Ends other people's sessions. */
    ADMIN;

    /** Whether this is enough where another one is needed. */
    public boolean covers(ConsoleRole needed) {
        return compareTo(needed) >= 0;
    }

    /** As it stands in files and on pages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ConsoleRole of(String word) {
        for (ConsoleRole role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no role: viewer, operator or admin");
    }
}
