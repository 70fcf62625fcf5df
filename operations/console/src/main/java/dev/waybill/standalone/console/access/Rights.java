package dev.waybill.standalone.console.access;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The roles of a person: by database, and for all other databases. */
public record Rights(Optional<ConsoleRole> everywhere, Map<String, ConsoleRole> named) {
    public static final Rights NONE = new Rights(Optional.empty(), Map.of());

    public Rights {
        named = Map.copyOf(named);
    }

    static Rights everywhere(ConsoleRole role) {
        return new Rights(Optional.of(role), Map.of());
    }

    /**
     * Parses {@code operator} or {@code viewer,operator@orders}.
     *
     * @throws IllegalArgumentException for any other text
     */
    static Rights parse(String text) {
        @Nullable ConsoleRole everywhere = null;
        var named = new LinkedHashMap<String, ConsoleRole>();
        for (String part : text.split(",", -1)) {
            String[] halves = part.strip().split("@", 2);
            ConsoleRole role = ConsoleRole.of(halves[0]);
            if (halves.length == 2) {
                named.put(halves[1], role);
            } else if (everywhere == null) {
                everywhere = role;
            } else {
                throw new IllegalArgumentException("'" + text + "' has two roles for all databases");
            }
        }
        return new Rights(Optional.ofNullable(everywhere), named);
    }

    Rights and(Rights other) {
        var all = new LinkedHashMap<>(named);
        other.named.forEach((database, role) -> all.merge(database, role, Rights::higher));
        Optional<ConsoleRole> both =
                Stream.concat(everywhere.stream(), other.everywhere.stream()).max(Comparator.naturalOrder());
        both.ifPresent(role -> all.replaceAll((database, one) -> higher(one, role)));
        return new Rights(both, all);
    }

    private static ConsoleRole higher(ConsoleRole one, ConsoleRole other) {
        return one.covers(other) ? one : other;
    }

    public Optional<ConsoleRole> in(String database) {
        return Optional.ofNullable(named.get(database)).or(() -> everywhere);
    }

    public boolean allows(ConsoleRole needed, String database) {
        return in(database).filter(role -> role.covers(needed)).isPresent();
    }

    public boolean allowsSomewhere(ConsoleRole needed) {
        return Stream.concat(everywhere.stream(), named.values().stream()).anyMatch(role -> role.covers(needed));
    }

    /** Whether the role suffices in databases without a role of their own. */
    boolean allowsEverywhere(ConsoleRole needed) {
        return everywhere.filter(role -> role.covers(needed)).isPresent();
    }
}
