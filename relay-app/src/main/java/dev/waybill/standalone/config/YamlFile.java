package dev.waybill.standalone.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** A configuration file, flattened: nothing is constructed from it, and every value remembers its line. */
final class YamlFile {
    private final String name;
    private final Map<Key, Given> values = new LinkedHashMap<>();

    private YamlFile(String name) {
        this.name = name;
    }

    static Map<Key, Given> read(Path file) {
        var yaml = new YamlFile(String.valueOf(file.getFileName()));
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            @Nullable Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(reader);
            if (root != null) {
                yaml.flatten(new Key(List.of()), root);
            }
            return yaml.values;
        } catch (MarkedYAMLException e) {
            throw new ConfigException(file + " is no YAML: " + e.getProblem() + " in line "
                    + (e.getProblemMark().getLine() + 1));
        } catch (IOException | YAMLException e) {
            // The parser wraps what its reader throws, as of a directory.
            throw new ConfigException("The configuration file " + file + " cannot be read: " + e.getMessage());
        }
    }

    private void flatten(Key key, Node node) {
        if (node instanceof MappingNode mapping) {
            if (mapping.getValue().isEmpty() && Options.isName(key)) {
                put(key, "", node);
            }
            for (NodeTuple entry : mapping.getValue()) {
                flatten(key.child(scalar(entry.getKeyNode())), entry.getValueNode());
            }
        } else if (node instanceof SequenceNode sequence) {
            var texts = new ArrayList<String>();
            sequence.getValue().forEach(item -> texts.add(scalar(item)));
            put(key, String.join(",", texts), node);
        } else {
            put(key, scalar(node), node);
        }
    }

    private void put(Key key, String text, Node node) {
        String origin = "file " + name + ", line " + line(node);
        if (key.segments().isEmpty()) {
            throw new ConfigException(origin + ": a map of options is needed");
        }
        @Nullable Given before = values.put(key, new Given(text, origin));
        if (before != null) {
            throw new ConfigException(key + " stands twice: " + before.origin() + ", and line " + line(node));
        }
    }

    private String scalar(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw new ConfigException("file " + name + ", line " + line(node) + ": a name or a value is needed here");
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /**
     * A value as it was given.
     *
     * @param file where a secret stands, if it was given so
     */
    record Given(String text, String origin, Optional<Path> file) {
        Given(String text, String origin) {
            this(text, origin, Optional.empty());
        }
    }
}
