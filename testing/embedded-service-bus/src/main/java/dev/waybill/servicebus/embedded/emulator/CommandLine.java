package dev.waybill.servicebus.embedded.emulator;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The program's arguments.
 *
 * @param config null for a broker without entities
 * @param tlsCertificate file for the certificate; null for plain TCP
 */
record CommandLine(
        @Nullable Path config,
        String host,
        int port,
        int administrationPort,
        @Nullable Path tlsCertificate,
        boolean help) {
    static final String USAGE = """
            Usage: java -jar embedded-service-bus.jar [--config FILE] [--host ADDRESS] [--port N]
                       [--administration-port N] [--tls-certificate FILE]

              --config FILE             entities, in the format of the Service Bus emulator's Config.json
              --host ADDRESS            address to listen on (default 127.0.0.1; 0.0.0.0 in a container)
              --port N                  port for clients (default 5672, 0 any)
              --administration-port N   port for administration and /health over HTTP (default 5300, 0 any)
              --tls-certificate FILE    speak TLS with a new certificate for localhost, and write it there (PEM)

            Prints a connection string and "Ready", and serves until the process is ended.
            """;

    private static final int AMQP = 5672;
    private static final int ADMINISTRATION = 5300;
    private static final int MAX_PORT = 65_535;

    static CommandLine parse(String[] args) {
        CommandLine options = new CommandLine(null, "127.0.0.1", AMQP, ADMINISTRATION, null, false);
        Iterator<String> rest = Arrays.asList(args).iterator();
        while (rest.hasNext()) {
            options = options.with(rest.next(), rest);
        }
        return options;
    }

    private CommandLine with(String name, Iterator<String> rest) {
        return switch (name) {
            case "--config" ->
                new CommandLine(Path.of(value(name, rest)), host, port, administrationPort, tlsCertificate, help);
            case "--host" -> new CommandLine(config, value(name, rest), port, administrationPort, tlsCertificate, help);
            case "--port" -> new CommandLine(config, host, port(name, rest), administrationPort, tlsCertificate, help);
            case "--administration-port" -> new CommandLine(config, host, port, port(name, rest), tlsCertificate, help);
            case "--tls-certificate" ->
                new CommandLine(config, host, port, administrationPort, Path.of(value(name, rest)), help);
            case "--help", "-h" -> new CommandLine(config, host, port, administrationPort, tlsCertificate, true);
            default -> throw new ConfigException("unknown argument " + name + "\n" + USAGE);
        };
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
