package dev.waybill.standalone.identity;

import dev.waybill.standalone.config.NamespaceSettings.Identity;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** All sources by name: Azure's, and those of the class path. */
public final class PasswordSources {
    private static final Map<String, PasswordSource> ALL = new TreeMap<>();

    static {
        Arrays.stream(Identity.values()).map(AzurePasswords::new).forEach(source -> ALL.put(source.name(), source));
        ServiceLoader.load(PasswordSource.class).forEach(source -> ALL.put(source.name(), source));
    }

    private PasswordSources() {}

    /** A source by its name; throws an {@link IllegalArgumentException} for an unknown one. */
    public static PasswordSource named(String name) {
        PasswordSource source = ALL.get(name);
        if (source == null) {
            throw new IllegalArgumentException("there is no credential '" + name + "'; there are " + ALL.keySet());
        }
        return source;
    }
}
