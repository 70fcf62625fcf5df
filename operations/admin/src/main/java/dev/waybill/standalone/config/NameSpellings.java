package dev.waybill.standalone.config;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Names in variables, which have neither case nor hyphens nor dots, against the names of other sources. */
final class NameSpellings {
    private NameSpellings() {}

    /** Why the names in the key of a variable may not be meant. */
    static Optional<String> problem(Key key, Collection<Key> known) {
        Key pattern = Options.find(key)
                .or(() -> Options.find(withoutFile(key)))
                .map(Option::pattern)
                .orElse(key);
        for (int i = 0; i < pattern.segments().size(); i++) {
            if (pattern.segments().get(i).equals(Option.ANY)) {
                List<String> before = key.segments().subList(0, i);
                String name = key.segments().get(i);
                Optional<String> problem = problem(before.get(before.size() - 1), name, Names.at(known, before));
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return Optional.empty();
    }

    private static Key withoutFile(Key key) {
        return key.endsWith(Option.FILE_ENDING) ? key.withoutEnding(Option.FILE_ENDING) : key;
    }

    private static Optional<String> problem(String kind, String name, Collection<String> names) {
        List<String> spelledAlike = names.stream()
                .filter(other -> Key.environmentName(other).equals(Key.environmentName(name)))
                .toList();
        if (spelledAlike.size() > 1) {
            return Optional.of("it may mean the " + kind + " '" + String.join("' or '", spelledAlike)
                    + "'; set the option elsewhere");
        }
        if (!spelledAlike.isEmpty()) {
            return Optional.empty();
        }
        return names.stream()
                .filter(other -> squeezed(other).equals(squeezed(name)))
                .findFirst()
                .map(other -> "it would make a " + kind + " '" + name + "' beside '" + other + "'; did you mean "
                        + Key.environmentName(other) + " for the name?");
    }

    private static String squeezed(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    }
}
