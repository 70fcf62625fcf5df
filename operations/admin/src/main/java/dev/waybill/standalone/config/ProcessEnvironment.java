package dev.waybill.standalone.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** The system properties and environment variables of a process. Immutable. */
public record ProcessEnvironment(Map<String, String> properties, Map<String, String> variables) {
    public ProcessEnvironment {
        properties = Map.copyOf(properties);
        variables = Map.copyOf(variables);
    }

    public static ProcessEnvironment ofProcess() {
        var properties = new LinkedHashMap<String, String>();
        Properties system = System.getProperties();
        system.stringPropertyNames().forEach(name -> properties.put(name, system.getProperty(name)));
        return new ProcessEnvironment(properties, System.getenv());
    }
}
