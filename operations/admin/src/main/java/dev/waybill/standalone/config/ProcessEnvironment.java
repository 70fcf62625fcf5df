package dev.waybill.standalone.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The sources of a process's options besides its command line. Immutable.
 *
 * @param properties the system properties
 * @param variables the environment
 */
public record ProcessEnvironment(Map<String, String> properties, Map<String, String> variables) {
    /** Copies what it is given. */
    public ProcessEnvironment {
        properties = Map.copyOf(properties);
        variables = Map.copyOf(variables);
    }

    /** Those of this process. */
    public static ProcessEnvironment ofProcess() {
        var properties = new LinkedHashMap<String, String>();
        Properties system = System.getProperties();
        system.stringPropertyNames().forEach(name -> properties.put(name, system.getProperty(name)));
        return new ProcessEnvironment(properties, System.getenv());
    }
}
