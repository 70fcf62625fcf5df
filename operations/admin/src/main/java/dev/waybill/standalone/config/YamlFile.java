package dev.waybill.standalone.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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
import org.yaml.snakeyaml.nodes.Tag;

/** A configuration file as flat keys. The parser constructs no objects and keeps the line of every value. */
final class YamlFile {
    /** Aliases multiply nodes; the limit stops such a file. */
    private static final int MOST_NODES = 100_000;

    private static final String ALL_UNLESS_GIVEN = "destinations";

    private final String name;
    private final Set<Node> around = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Node> merging = Collections.newSetFromMap(new IdentityHashMap<>());
    private int nodes;
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
        } catch (NoSuchFileException e) {
            throw new ConfigException("The configuration file " + file.toAbsolutePath() + " does not exist");
        } catch (AccessDeniedException e) {
            throw new ConfigException("The configuration file " + file + " may not be read by this user");
        } catch (IOException | YAMLException e) {
            // The parser wraps the exception of the reader.
            boolean foreign = e instanceof CharacterCodingException || e.getCause() instanceof CharacterCodingException;
            throw new ConfigException("The configuration file " + file
                    + (foreign ? " is no UTF-8" : " cannot be read: " + e.getMessage()));
        }
    }

    private void flatten(Key key, Node node) {
        if (!around.add(node)) {
            throw new ConfigException(origin(node) + ": " + key + " is an alias of something that it stands in itself");
        }
        count(node);
        if (node instanceof MappingNode mapping) {
            map(key, mapping);
        } else if (node instanceof SequenceNode sequence) {
            var texts = new ArrayList<String>();
            sequence.getValue().forEach(item -> texts.add(value(item)));
            if (texts.isEmpty() && key.endsWith(ALL_UNLESS_GIVEN)) {
                throw new ConfigException(origin(node) + ": " + key
                        + " is an empty list, and without a name it means all;" + " leave it out, or name some");
            }
            put(key, String.join(",", texts), node);
        } else if (isNothing(node) && Options.hasOptions(key)) {
            nothing(key, node);
        } else {
            put(key, value(node), node);
        }
        around.remove(node);
    }

    private void count(Node node) {
        if (++nodes > MOST_NODES) {
            throw new ConfigException(
                    origin(node) + ": with its aliases the file has more than " + MOST_NODES + " values");
        }
    }

    private void map(Key key, MappingNode mapping) {
        if (mapping.getValue().isEmpty()) {
            if (Options.find(key).isPresent()) {
                throw new ConfigException(origin(mapping) + ": " + key + " needs a value, and has no options below it");
            }
            nothing(key, mapping);
        }
        for (NodeTuple entry : merged(mapping)) {
            flatten(key.child(name(entry.getKeyNode())), entry.getValueNode());
        }
    }

    /** The entries of a map, then those that it merges and does not have itself. The first of several merged maps wins. */
    private List<NodeTuple> merged(MappingNode mapping) {
        if (!merging.add(mapping)) {
            throw new ConfigException(origin(mapping) + ": a map is merged into itself");
        }
        count(mapping);
        var entries = new ArrayList<NodeTuple>();
        var names = new HashSet<String>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!isMerge(entry)) {
                entries.add(entry);
                names.add(name(entry.getKeyNode()));
            }
        }
        mapping.getValue().stream()
                .filter(YamlFile::isMerge)
                .flatMap(entry -> maps(entry.getValueNode()))
                .flatMap(other -> merged(other).stream())
                .filter(entry -> names.add(name(entry.getKeyNode())))
                .forEach(entries::add);
        merging.remove(mapping);
        return entries;
    }

    private Stream<MappingNode> maps(Node merged) {
        if (merged instanceof MappingNode mapping) {
            return Stream.of(mapping);
        }
        if (merged instanceof SequenceNode sequence && !sequence.getValue().isEmpty()) {
            return sequence.getValue().stream().flatMap(this::maps);
        }
        throw new ConfigException(origin(merged) + ": << needs a map, or a list of maps");
    }

    private static boolean isMerge(NodeTuple entry) {
        return entry.getKeyNode().getTag().equals(Tag.MERGE);
    }

    // A name without options is valid; a section without content is ignored.
    private void nothing(Key key, Node node) {
        boolean says = Options.isName(key) || !Options.hasOptions(key);
        if (says && !key.segments().isEmpty()) {
            put(key, "", node);
        }
    }

    private void put(Key key, String text, Node node) {
        String origin = origin(node);
        if (key.segments().isEmpty()) {
            throw new ConfigException(origin + ": a map of options is needed");
        }
        @Nullable Given before = values.put(key, new Given(text, origin));
        if (before != null) {
            throw new ConfigException(key + " stands twice: " + before.origin() + ", and line " + line(node));
        }
    }

    private String name(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw new ConfigException(origin(node) + ": a name or a value is needed here");
    }

    // YAML treats "~" and "null" as an empty value.
    private String value(Node node) {
        return isNothing(node) ? "" : name(node);
    }

    private static boolean isNothing(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private String origin(Node node) {
        return "file " + name + ", line " + line(node);
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /** A value of the file; a secret may come from another file. */
    record Given(String text, String origin, Optional<Path> file) {
        Given(String text, String origin) {
            this(text, origin, Optional.empty());
        }
    }
}
