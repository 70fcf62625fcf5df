package dev.waybill.standalone.config;

import dev.waybill.standalone.config.YamlFile.Given;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Options in environment variables: {@code WAYBILL_DATABASE_MAIN_URL} is {@code database.main.url}. A name takes the spelling
 * of other sources; otherwise it is the variable's text in lower case, with hyphens.
 */
final class Environment {
    static final String PREFIX = "WAYBILL_";

    static final String CONFIG = "WAYBILL_CONFIG";

    private Environment() {}

    static Map<Key, Given> read(Map<String, String> variables, Collection<Key> known, List<String> problems) {
        var values = new LinkedHashMap<Key, Given>();
        Set<String> foreign = KubernetesVariables.in(variables).keySet();
        variables.forEach((name, text) -> {
            if (!name.startsWith(PREFIX) || name.equals(CONFIG) || foreign.contains(name)) {
                return;
            }
            Optional<Key> key = key(name.substring(PREFIX.length()), known);
            if (key.isPresent()) {
                NameSpellings.problem(key.get(), known)
                        .ifPresent(why -> problems.add("environment " + name + ": " + why));
                values.put(key.get(), new Given(text, "environment " + name));
            } else if (!SpringVariables.isOne(name)) {
                problems.add("environment " + name + ": there is no such option; " + Suggestion.environment(name));
            }
        });
        return values;
    }

    /** Variables of the Spring starter, which shares the prefix. A variable that names an option is none of them. */
    static List<String> ofSpring(Map<String, String> variables) {
        return variables.keySet().stream()
                .filter(name -> SpringVariables.isOne(name)
                        && key(name.substring(PREFIX.length()), List.of()).isEmpty())
                .sorted()
                .toList();
    }

    // The pattern with the most fixed words wins, because the rest may belong to a name.
    private static Optional<Key> key(String name, Collection<Key> known) {
        return Options.ALL.stream()
                .flatMap(option -> forms(option, name, known))
                .max((one, other) -> Integer.compare(fixed(one), fixed(other)))
                .map(Found::key);
    }

    private static int fixed(Found found) {
        return found.option.pattern().segments().size() * 1_000
                + found.option.pattern().toString().length();
    }

    private static Stream<Found> forms(Option option, String name, Collection<Key> known) {
        Stream<Found> plain = match(option.pattern(), name, known).map(key -> new Found(option, key)).stream();
        if (!option.secret() || !name.endsWith("_FILE")) {
            return plain;
        }
        Optional<Key> file = match(option.pattern(), name.substring(0, name.length() - "_FILE".length()), known);
        return Stream.concat(plain, file.map(key -> new Found(option, withFile(key))).stream());
    }

    private static Key withFile(Key key) {
        var segments = new ArrayList<>(key.segments());
        segments.set(segments.size() - 1, segments.get(segments.size() - 1) + Option.FILE_ENDING);
        return new Key(segments);
    }

    private static Optional<Key> match(Key pattern, String name, Collection<Key> known) {
        var expression = new StringBuilder();
        for (String segment : pattern.segments()) {
            expression
                    .append(expression.isEmpty() ? "" : "_")
                    .append(segment.equals(Option.ANY) ? "([A-Z0-9_]+?)" : Key.environmentName(segment));
        }
        Matcher matcher = Pattern.compile(expression.toString()).matcher(name);
        return matcher.matches() ? Optional.of(named(pattern, matcher, known)) : Optional.empty();
    }

    private static Key named(Key pattern, Matcher matcher, Collection<Key> known) {
        var segments = new ArrayList<String>();
        int group = 1;
        for (String segment : pattern.segments()) {
            segments.add(segment.equals(Option.ANY) ? name(matcher.group(group++), segments, known) : segment);
        }
        return new Key(segments);
    }

    private static String name(String written, List<String> before, Collection<Key> known) {
        Set<String> names = Names.at(known, before);
        return names.stream()
                .filter(name -> Key.environmentName(name).equals(written))
                .findFirst()
                .orElseGet(() -> written.toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private record Found(Option option, Key key) {}
}
