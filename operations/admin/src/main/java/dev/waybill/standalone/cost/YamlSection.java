package dev.waybill.standalone.cost;

import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Suggestion;
import dev.waybill.standalone.config.Times;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A section of a YAML file. It reports unknown keys, and collects all problems. Not thread-safe. */
final class YamlSection {
    private final String file;
    private final String path;
    private final List<String> problems;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private final TreeSet<String> known = new TreeSet<>();

    private YamlSection(String file, String path, @Nullable Node node, List<String> problems) {
        this.file = file;
        this.path = path;
        this.problems = problems;
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(this::put);
        } else if (node != null && !isNothing(node)) {
            problems.add(
                    origin(node) + ": a map of options is needed" + (path.isEmpty() ? "" : " below '" + path + "'"));
        }
    }

    static YamlSection read(Path file) {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            var loader = new Yaml(new SafeConstructor(new LoaderOptions()));
            return new YamlSection(String.valueOf(file.getFileName()), "", loader.compose(reader), new ArrayList<>());
        } catch (MarkedYAMLException e) {
            throw new ConfigException(file + " is no YAML: " + e.getProblem() + " in line "
                    + (e.getProblemMark().getLine() + 1));
        } catch (NoSuchFileException e) {
            throw new ConfigException("The file " + file + " does not exist");
        } catch (IOException | YAMLException e) {
            throw new ConfigException("The file " + file + " cannot be read: " + e.getMessage());
        }
    }

    private void put(NodeTuple entry) {
        String name = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (values.put(name, entry.getValueNode()) != null) {
            problems.add(origin(entry.getKeyNode()) + ": '" + full(name) + "' stands twice");
        }
        lines.put(name, entry.getKeyNode().getStartMark().getLine() + 1);
    }

    boolean has(String key) {
        known.add(key);
        return values.containsKey(key);
    }

    String text(String key, String usual) {
        @Nullable Node node = value(key);
        if (node == null) {
            return usual;
        }
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        problems.add(origin(node) + ": '" + full(key) + "' needs a value, and has no options below it");
        return usual;
    }

    /** A number between {@code least} and {@code most}; empty if it is missing. */
    OptionalDouble number(String key, double least, double most) {
        @Nullable Node node = value(key);
        if (node == null) {
            return OptionalDouble.empty();
        }
        String text = text(key, "").replace("_", "");
        try {
            double number = Double.parseDouble(text);
            if (number >= least && number <= most) {
                return OptionalDouble.of(number);
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        String range = most == Double.MAX_VALUE
                ? "of at least " + plain(least)
                : "from " + plain(least) + " to " + plain(most);
        problems.add(origin(node) + ": '" + full(key) + "' is '" + text + "', not a number " + range);
        return OptionalDouble.empty();
    }

    Duration time(String key, Duration usual) {
        @Nullable Node node = value(key);
        if (node == null) {
            return usual;
        }
        try {
            return Times.parse(text(key, ""));
        } catch (IllegalArgumentException e) {
            problems.add(origin(node) + ": '" + full(key) + "': " + e.getMessage());
            return usual;
        }
    }

    boolean flag(String key, boolean usual) {
        @Nullable Node node = value(key);
        String text = text(key, Boolean.toString(usual));
        if (node != null && !text.equals("true") && !text.equals("false")) {
            problems.add(origin(node) + ": '" + full(key) + "' is '" + text + "', neither true nor false");
        }
        return text.equals("true");
    }

    YamlSection below(String key) {
        return new YamlSection(file, full(key), value(key), problems);
    }

    /** The sections below a key, by name. */
    Map<String, YamlSection> named(String key) {
        YamlSection all = below(key);
        var sections = new LinkedHashMap<String, YamlSection>();
        all.values.keySet().forEach(name -> sections.put(name, all.below(name)));
        return sections;
    }

    List<YamlSection> list(String key) {
        @Nullable Node node = value(key);
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue().stream()
                    .map(item -> new YamlSection(file, full(key) + "[]", item, problems))
                    .toList();
        }
        if (node != null) {
            problems.add(origin(node) + ": '" + full(key) + "' needs a list");
        }
        return List.of();
    }

    void problem(String key, String text) {
        problems.add("file " + file + (lines.containsKey(key) ? ", line " + lines.get(key) : "") + ": " + text);
    }

    /** Reports keys that were never read. */
    void end() {
        values.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problem(
                        name, "there is no option '" + full(name) + "'" + Suggestion.among(List.copyOf(known), name)));
    }

    /** Throws if the file has problems. */
    void refuse() {
        end();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    String path() {
        return path;
    }

    private @Nullable Node value(String key) {
        known.add(key);
        @Nullable Node node = values.get(key);
        return node == null || isNothing(node) ? null : node;
    }

    private static boolean isNothing(Node node) {
        return node.getTag().equals(org.yaml.snakeyaml.nodes.Tag.NULL);
    }

    private String full(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private String origin(Node node) {
        return "file " + file + ", line " + (node.getStartMark().getLine() + 1);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
