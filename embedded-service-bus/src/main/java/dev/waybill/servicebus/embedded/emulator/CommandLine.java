package dev.waybill.servicebus.embedded.emulator;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The program's arguments.
 *
 * @param config the file that names the entities, or null for a broker without any
 * @param port the port for clients; 0 takes any free one
 * @param administrationPort the port for administration; 0 takes any free one
 * @param help whether only to explain the arguments
 */
record CommandLine(@Nullable Path config, int port, int administrationPort, boolean help) {
    static final String USAGE = """
            Usage: java -jar embedded-service-bus.jar [--config FILE] [--port N] [--administration-port N]

              --config FILE             entities, in the format of the Service Bus emulator's Config.json
              --port N                  port for clients, on the loopback address (default 5672, 0 any)
              --administration-port N   port for administration over HTTP (default 5300, 0 any)

            Prints a connection string and "Ready", and serves until the process is ended.
            """;

    private static final int AMQP = 5672;
    private static final int ADMINISTRATION = 5300;
    private static final int MAX_PORT = 65_535;

    static CommandLine parse(String[] args) {
        CommandLine options = new CommandLine(null, AMQP, ADMINISTRATION, false);
        Iterator<String> rest = Arrays.asList(args).iterator();
        while (rest.hasNext()) {
            String name = rest.next();
            options = switch (name) {
                case "--config" ->
                    new CommandLine(Path.of(value(name, rest)), options.port, options.administrationPort, options.help);
                case "--port" ->
                    new CommandLine(options.config, port(name, rest), options.administrationPort, options.help);
                case "--administration-port" ->
                    new CommandLine(options.config, options.port, port(name, rest), options.help);
                case "--help", "-h" -> new CommandLine(options.config, options.port, options.administrationPort, true);
                default -> throw new ConfigException("unknown argument " + name + "\n" + USAGE);
            };
        }
        return options;
    }

    private static String value(String name, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new ConfigException(name + " needs a value");
        }
        return rest.next();
    }

    private static int port(String name, Iterator<String> rest) {
        String value = value(name, rest);
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new ConfigException(name + " is no port: " + value, e);
        }
        throw new ConfigException(name + " is no port: " + value);
    }
}
