package dev.waybill.standalone.config;

import dev.waybill.standalone.config.YamlFile.Given;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sources of options, the strongest first: flags, system properties, environment variables, a YAML file. Immutable. */
public record Sources(
        Map<String, String> flags, Map<String, String> properties, Map<String, String> variables, Optional<Path> file) {
    private static final String PREFIX = "waybill.";

    public Sources {
        flags = Map.copyOf(flags);
        properties = Map.copyOf(properties);
        variables = Map.copyOf(variables);
    }

    /** The sources of a command. The file is the given one, or that of {@code waybill.config} or {@code WAYBILL_CONFIG}. */
    public static Sources of(Map<String, String> flags, ProcessEnvironment environment, Optional<Path> file) {
        Map<String, String> properties = environment.properties();
        Map<String, String> variables = environment.variables();
        Optional<Path> elsewhere = Optional.ofNullable(properties.get(PREFIX + "config"))
                .or(() -> Optional.ofNullable(variables.get(Environment.CONFIG)))
                .filter(name -> !name.isBlank())
                .map(Path::of);
        return new Sources(flags, properties, variables, file.or(() -> elsewhere));
    }

    /** The weakest source first, so that later ones override it. */
    List<Map<Key, Given>> weakestFirst(List<String> problems) {
        Map<Key, Given> fromFile = file.map(YamlFile::read).orElse(Map.of());
        var fromProperties = new LinkedHashMap<Key, Given>();
        properties.forEach((name, text) -> {
            if (name.startsWith(PREFIX) && !name.equals(PREFIX + "config")) {
                fromProperties.put(Key.of(name.substring(PREFIX.length())), new Given(text, "system property " + name));
            }
        });
        var fromFlags = new LinkedHashMap<Key, Given>();
        flags.forEach((name, text) -> fromFlags.put(Key.of(name), new Given(text, "flag --set " + name)));
        var known = new ArrayList<Key>(fromFile.keySet());
        known.addAll(fromProperties.keySet());
        known.addAll(fromFlags.keySet());
        return List.of(fromFile, Environment.read(variables, known, problems), fromProperties, fromFlags);
    }
}
