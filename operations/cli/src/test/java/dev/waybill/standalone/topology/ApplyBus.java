package dev.waybill.standalone.topology;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An empty broker behind a proxy, and the program that is to fill it. */
final class ApplyBus implements AutoCloseable {
    private static final String HEAD = """
            namespace:
              main:
                tier: premium
                connection-string: "%s"
                administration-endpoint: "http://127.0.0.1:%d"
            destination:
            """;

    final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .tier(Tier.PREMIUM)
            .administrationPort(0)
            .start();
    final AdministrationProxy proxy;
    final ServiceBusAdministrationClient portal;
    private final Path directory;

    ApplyBus(Path directory) throws IOException {
        this.directory = directory;
        proxy = new AdministrationProxy(bus.administrationPort());
        portal = new ServiceBusAdministrationClientBuilder()
                .connectionString(bus.connectionString())
                .addPolicy(EmbeddedAdministrationPolicy.of(bus))
                .buildClient();
    }

    /** The program, with these destinations. */
    Program program(String destinations) {
        return Program.with(directory, HEAD.formatted(bus.connectionString(), proxy.port()) + destinations.indent(2));
    }

    /** Applies without a question. */
    Result apply(String destinations, String... options) {
        var arguments = new ArrayList<>(List.of("topology", "apply", "--yes", "--reason", "test", "--by", "alice"));
        arguments.addAll(List.of(options));
        return program(destinations).run(arguments.toArray(String[]::new));
    }

    /** Applies, and has the answer as JSON. */
    Result json(String destinations, String... options) {
        var arguments = new ArrayList<>(List.of(options));
        arguments.add("--json");
        return apply(destinations, arguments.toArray(String[]::new));
    }

    void send(String entity) {
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName(entity)
                .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("x"));
        }
    }

    @Override
    public void close() {
        proxy.close();
        bus.close();
    }
}
