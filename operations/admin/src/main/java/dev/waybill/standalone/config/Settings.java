package dev.waybill.standalone.config;

import dev.waybill.standalone.config.YamlFile.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of every given option with its origin. Immutable. */
final class Settings {
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password|user)=[^&;]*");

    private static final int RULE = 6;

    private final Map<Key, Given> values;
    /** Names without any option; their options have defaults. */
    private final Set<Key> bare;

    private final List<String> ignored;

    private final List<String> ofSpring;

    private Settings(Map<Key, Given> values, Set<Key> bare, List<String> ignored, List<String> ofSpring) {
        this.ofSpring = ofSpring;
        this.values = values;
        this.bare = bare;
        this.ignored = ignored;
    }

    static Settings of(Sources sources, List<String> problems) {
        var values = new LinkedHashMap<Key, Given>();
        var bare = new LinkedHashSet<Key>();
        for (Map<Key, Given> source : sources.weakestFirst(problems)) {
            source.forEach((key, given) -> {
                @Nullable Key secret = secretOfFile(key);
                if (key.hasEmptyName()) {
                    problems.add(given.origin() + ": '" + key + "' has an empty name in it");
                } else if (secret != null) {
                    put(values, secret, contents(key, given, problems), problems);
                } else if (given.text().isEmpty() && Options.isName(key)) {
                    bare.add(key);
                } else {
                    put(values, key, given, problems);
                }
            });
        }
        return new Settings(
                values,
                bare,
                List.copyOf(KubernetesVariables.in(sources.variables()).keySet()),
                Environment.ofSpring(sources.variables()));
    }

    private static void put(Map<Key, Given> values, Key key, Given given, List<String> problems) {
        Optional<Option> option = Options.find(key);
        if (option.isEmpty() && Options.hasOptions(key)) {
            problems.add(given.origin() + ": '" + key + "' takes no value, but has options below it, such as '"
                    + Suggestion.below(key) + "'");
        } else if (option.isEmpty()) {
            problems.add(given.origin() + ": there is no option '" + key + "'; did you mean '" + Suggestion.option(key)
                    + "'?");
        } else if (given.text().isEmpty() && isRule(key)) {
            problems.add(given.origin() + ": " + key + " is empty: without its rules a subscription lets everything in."
                    + " Give it a filter, such as 1=1");
        } else if (given.text().isEmpty() && given.file().isEmpty()) {
            values.remove(key);
        } else if (option.get().accepts(given.text())) {
            values.remove(key);
            values.put(key, given);
        } else {
            problems.add(given.origin() + ": " + key + " is '" + given.text() + "', and must be "
                    + option.get().form());
        }
    }

    private static boolean isRule(Key key) {
        return key.segments().size() == RULE && key.segments().get(RULE - 2).equals("rule");
    }

    private static @Nullable Key secretOfFile(Key key) {
        if (!key.endsWith(Option.FILE_ENDING)) {
            return null;
        }
        Key secret = key.withoutEnding(Option.FILE_ENDING);
        return Options.find(secret).filter(Option::secret).isPresent() ? secret : null;
    }

    private static Given contents(Key key, Given given, List<String> problems) {
        try {
            Path file = Path.of(given.text());
            return new Given(
                    Files.readString(file).strip(), given.origin() + ", file " + given.text(), Optional.of(file));
        } catch (IOException | InvalidPathException e) {
            problems.add(given.origin() + ": " + key + " names the file " + given.text() + ", which cannot be read");
            return given;
        }
    }

    /** Environment variables that Kubernetes set for a service. */
    List<String> ignored() {
        return ignored;
    }

    /** Environment variables of the Spring starter. */
    List<String> ofSpring() {
        return ofSpring;
    }

    Set<String> names(String... prefix) {
        return namesAt(List.of(prefix));
    }

    private Set<String> namesAt(List<String> prefix) {
        Set<String> names = Names.at(values.keySet(), prefix);
        names.addAll(Names.at(bare, prefix));
        return names;
    }

    String text(String... key) {
        Key full = new Key(List.of(key));
        Option option = Options.find(full).orElseThrow(() -> new IllegalArgumentException("Undeclared: " + full));
        @Nullable Given given = values.get(full);
        String text = given == null ? option.defaultText() : given.text();
        return option.choices().isEmpty() ? text : text.toLowerCase(Locale.ROOT);
    }

    int integer(String... key) {
        return Integer.parseInt(text(key));
    }

    double ratio(String... key) {
        return Double.parseDouble(text(key));
    }

    boolean isOn(String... key) {
        return Boolean.parseBoolean(text(key));
    }

    Duration duration(String... key) {
        return Objects.requireNonNull(Kind.parseDuration(text(key)));
    }

    long bytes(String... key) {
        return Objects.requireNonNull(Kind.parseBytes(text(key)));
    }

    List<String> list(String... key) {
        return Kind.parseList(text(key));
    }

    Optional<String> optional(String... key) {
        String text = text(key);
        return text.isBlank() ? Optional.empty() : Optional.of(text);
    }

    Optional<Secret> secret(String... key) {
        @Nullable Given given = values.get(new Key(List.of(key)));
        if (given == null || (given.text().isBlank() && given.file().isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(Secret.of(given.file(), given.text()));
    }

    /** The origin of a value; null for a default. */
    @Nullable String origin(String... key) {
        @Nullable Given given = values.get(new Key(List.of(key)));
        return given == null ? null : given.origin();
    }

    /** Every effective option, defaults included, without secrets. */
    List<Setting> print() {
        var settings = new ArrayList<Setting>();
        for (Option option : Options.ALL) {
            for (Key key : expand(option.pattern())) {
                @Nullable Given given = values.get(key);
                String text = given == null ? option.defaultText() : given.text();
                settings.add(new Setting(
                        key.toString(), redacted(option, text), given == null ? "default" : given.origin()));
            }
        }
        return settings;
    }

    private static String redacted(Option option, String text) {
        if (option.secret()) {
            return text.isEmpty() ? "" : "(secret)";
        }
        return option.unit().equals("JDBC URL") ? PASSWORD.matcher(text).replaceAll("$1=(secret)") : text;
    }

    private List<Key> expand(Key pattern) {
        List<Key> keys = List.of(new Key(List.of()));
        for (String segment : pattern.segments()) {
            var longer = new ArrayList<Key>();
            for (Key key : keys) {
                Set<String> names = segment.equals(Option.ANY) ? namesAt(key.segments()) : Set.of(segment);
                names.forEach(name -> longer.add(key.child(name)));
            }
            keys = longer;
        }
        return keys;
    }
}
