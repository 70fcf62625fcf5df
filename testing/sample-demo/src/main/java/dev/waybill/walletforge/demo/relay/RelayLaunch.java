package dev.waybill.walletforge.demo.relay;

import dev.waybill.schema.SchemaName;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything a relay process needs to know.
 *
 * @param mainClass of this application, which knows the command {@code relay}
 * @param jdbcUrl with credentials
 * @param serviceBus connection string
 * @param schema of Waybill's tables
 */
public record RelayLaunch(String mainClass, String jdbcUrl, String serviceBus, SchemaName schema) {
    /** Environment variable with the database's URL. */
    public static final String JDBC_URL = "WALLETFORGE_JDBC_URL";

    /** Environment variable with the connection string. */
    public static final String SERVICE_BUS = "WALLETFORGE_SERVICE_BUS";

    /** Environment variable with the schema. */
    public static final String SCHEMA = "WALLETFORGE_SCHEMA";

    ProcessBuilder process(String applicationName) {
        var process = new ProcessBuilder(command());
        process.environment().put(JDBC_URL, named(applicationName));
        process.environment().put(SERVICE_BUS, serviceBus);
        process.environment().put(SCHEMA, schema.value());
        return process.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    // A short life in little memory: no time for the optimising compiler, no need for a concurrent collector.
    private List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass,
                "relay");
    }

    // By its name the database tells one relay process from the next.
    private String named(String applicationName) {
        return jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "ApplicationName=" + applicationName;
    }
}
