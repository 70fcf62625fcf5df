package dev.waybill.standalone.console.access;

import java.util.Locale;

/** The roles of a person in a database; each includes the previous ones. */
public enum ConsoleRole {
    /** Reads state and failures, but no bodies. */
    VIEWER,
    /** Reads bodies and makes changes. */
    OPERATOR,
    ADMIN;

    public boolean covers(ConsoleRole needed) {
        return compareTo(needed) >= 0;
    }

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
