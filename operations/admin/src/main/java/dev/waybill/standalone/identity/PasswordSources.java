package dev.waybill.standalone.identity;

import dev.waybill.standalone.config.NamespaceSettings.Identity;
import dev.waybill.supervision.RootCause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** All sources by name: Azure's, and those of the class path. */
public final class PasswordSources {
    private static final Map<String, PasswordSource> ALL = new TreeMap<>();

    /** Why some could not be loaded, such as the library of a cloud that is not on the class path. */
    private static final List<String> FAILURES = new ArrayList<>();

    static {
        Arrays.stream(Identity.values()).map(AzurePasswords::new).forEach(source -> ALL.put(source.name(), source));
        Iterator<PasswordSource> found =
                ServiceLoader.load(PasswordSource.class).iterator();
        boolean more = true;
        while (more) {
            more = isLoaded(found);
        }
    }

    // False at the end. One that fails must not keep others from signing in.
    private static boolean isLoaded(Iterator<PasswordSource> found) {
        try {
            if (!found.hasNext()) {
                return false;
            }
            PasswordSource source = found.next();
            ALL.put(source.name(), source);
        } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
            FAILURES.add(e.getMessage() + " (" + RootCause.of(e) + ")");
        }
        return true;
    }

    private PasswordSources() {}

    /** A source by its name; throws an {@link IllegalArgumentException} for an unknown one. */
    public static PasswordSource named(String name) {
        PasswordSource source = ALL.get(name);
        if (source == null) {
            throw new IllegalArgumentException("there is no credential '" + name + "'; there are " + ALL.keySet()
                    + (FAILURES.isEmpty() ? "" : ". Not loaded: " + String.join("; ", FAILURES)));
        }
        return source;
    }
}
