package dev.waybill.servicebus.embedded.emulator;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs a broker until the process ends. */
public final class Main {
    private static final int BAD_INPUT = 2;

    private Main() {}

    public static void main(String[] args) {
        int status = run(args, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    private static int run(String[] args, PrintStream out, PrintStream err) {
        CommandLine options;
        EmbeddedServiceBus bus;
        try {
            options = CommandLine.parse(args);
            if (options.help()) {
                out.print(CommandLine.USAGE);
                return 0;
            }
            bus = builder(options).start();
        } catch (ConfigException | IllegalArgumentException | UncheckedIOException e) {
            err.println("embedded-service-bus: " + e.getMessage());
            return BAD_INPUT;
        }
        serve(bus, options.tlsCertificate() != null, out);
        return 0;
    }

    private static EmbeddedServiceBusBuilder builder(CommandLine options) {
        EmbeddedServiceBusBuilder builder =
                options.config() == null ? EmbeddedServiceBus.builder() : EmulatorConfig.read(options.config());
        builder.port(options.port()).administrationPort(options.administrationPort());
        try {
            builder.address(InetAddress.getByName(options.host()));
        } catch (UnknownHostException e) {
            throw new ConfigException("--host is no address: " + options.host(), e);
        }
        return options.tlsCertificate() == null ? builder : builder.tls(identity(options.tlsCertificate()));
    }

    private static TlsIdentity identity(Path certificate) {
        TlsIdentity identity = TlsIdentity.create();
        try {
            Files.writeString(certificate, identity.certificatePem());
        } catch (IOException e) {
            throw new ConfigException("--tls-certificate cannot be written: " + e.getMessage(), e);
        }
        return identity;
    }

    private static void serve(EmbeddedServiceBus bus, boolean secure, PrintStream out) {
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            bus.close();
                            end.countDown();
                        },
                        "embedded-service-bus-end"));
        out.println(bus.connectionString());
        out.println("Administration: http://127.0.0.1:" + bus.administrationPort());
        if (secure) {
            // With TLS, the connection string has no place for the port.
            out.println("AMQP: amqps://localhost:" + bus.port());
        }
        out.println("Ready");
        out.flush();
        try {
            end.await();
        } catch (InterruptedException e) {
            bus.close();
            Thread.currentThread().interrupt();
        }
    }
}
