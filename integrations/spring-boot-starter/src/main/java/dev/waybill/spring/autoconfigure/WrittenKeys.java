package dev.waybill.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of destinations and consumers as files, variables and arguments spell them. Boot takes a name apart at its dots, drops its
 * slashes, and makes one name of a variable's letters: each would be another name than the one that was meant.
 */
final class WrittenKeys {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenKeys.class);
    private static final Pattern PLAIN = Pattern.compile("[\\w-]+");
    private static final int LONGEST_SETTING = 3;

    private final String group;
    private final Set<String> settings;
    private final List<Key> keys = new ArrayList<>();

    private WrittenKeys(String group, Class<? extends Record> settings) {
        this.group = group;
        this.settings = Arrays.stream(settings.getRecordComponents())
                .map(component -> letters(component.getName()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private record Key(Object source, String text, String property) {}

    /**
     * Warns of names that only their spelling makes.
     *
     * @throws InvalidConfigurationPropertyValueException if a name has a character that needs brackets
     */
    static void check(ConfigurableEnvironment environment) {
        new WrittenKeys("waybill.destinations", DestinationProperties.class).look(environment);
        new WrittenKeys("waybill.consumers", ConsumerProperties.class).look(environment);
        for (String outbox : NamedOutboxes.names(environment)) {
            String below = "waybill.outboxes." + outbox;
            new WrittenKeys(below + ".destinations", DestinationProperties.class).look(environment);
            new WrittenKeys(below + ".consumers", ConsumerProperties.class).look(environment);
        }
    }

    private void look(ConfigurableEnvironment environment) {
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> all) {
                for (String property : all.getPropertyNames()) {
                    if (source instanceof SystemEnvironmentPropertySource) {
                        variable(source, property);
                    } else {
                        property(all, property);
                    }
                }
            }
        }
        warnOfSpellings();
    }

    private void property(EnumerablePropertySource<?> source, String property) {
        String prefix = group + ".";
        if (property.startsWith(group + "[") && property.indexOf(']') > 0) {
            keys.add(new Key(source, property.substring(prefix.length(), property.indexOf(']')), property));
        } else if (property.startsWith(prefix)) {
            String below = property.substring(prefix.length());
            int dot = below.lastIndexOf('.');
            boolean set = dot > 0 && settings.contains(letters(below.substring(dot + 1)));
            String key = set ? below.substring(0, dot) : below;
            if (!PLAIN.matcher(key).matches() && (set || below.indexOf('/') >= 0)) {
                throw new InvalidConfigurationPropertyValueException(
                        property,
                        source.getProperty(property),
                        "Spring Boot keeps a name with other characters than letters, digits, - and _ only in brackets."
                                + " Write \"[" + key + "]\" below " + group + ", with the quotes in YAML");
            }
            if (set) {
                keys.add(new Key(source, key, property));
            }
        }
    }

    // Its name is the key and the setting, in capitals: WAYBILL_DESTINATIONS_ORDERS_MAXIMUMSIZE.
    private void variable(PropertySource<?> source, String variable) {
        String prefix = group.replace('.', '_') + "_";
        if (!variable.toLowerCase(Locale.ROOT).startsWith(prefix)) {
            return;
        }
        String[] words = variable.substring(prefix.length()).split("_", -1);
        for (int key = Math.max(1, words.length - LONGEST_SETTING); key < words.length; key++) {
            if (settings.contains(letters(String.join("", Arrays.copyOfRange(words, key, words.length))))) {
                String text = String.join("_", Arrays.copyOf(words, key)).toLowerCase(Locale.ROOT);
                if (key > 1) {
                    LOG.warn(
                            "The variable {} does not set '{}' below {}: a variable's underscore parts names, and its name cannot"
                                    + " have a dash, an underscore or a dot. {}",
                            variable,
                            text,
                            group,
                            REMEDY);
                }
                keys.add(new Key(source, text, variable));
                return;
            }
        }
    }

    private static final String REMEDY =
            "Write the setting in a file, with a placeholder for the variable's value, such as ${SESSIONS}";

    private void warnOfSpellings() {
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            keys.subList(i + 1, keys.size()).stream()
                    .filter(other -> isOtherSpelling(key, other))
                    .findFirst()
                    .ifPresent(other -> LOG.warn(
                            "{} and {} are two entries below {}, '{}' and '{}', and neither changes the other. If one is meant,"
                                    + " spell it alike. A variable has neither dashes nor capitals. {}",
                            key.property(),
                            other.property(),
                            group,
                            key.text(),
                            other.text(),
                            REMEDY));
        }
    }

    private static boolean isOtherSpelling(Key one, Key other) {
        return !one.text().equals(other.text())
                && letters(one.text()).equals(letters(other.text()))
                && (one.source() != other.source() || one.text().equalsIgnoreCase(other.text()));
    }

    private static String letters(String text) {
        return text.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
    }
}
