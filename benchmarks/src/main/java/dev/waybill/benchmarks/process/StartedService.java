package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.servicebus.SdkAlone;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.spring.InboxHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** A service with Spring Boot and a data source, in a JVM of its own. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
final class StartedService {
    /** For what goes on in the background after the start, such as connecting. */
    static final int SETTLES_SECONDS = 3;

    private static final String STARTED = "the context has started";
    private static final long PATIENCE_SECONDS = 60;

    /** What Boot would make of classes on this class path that the service itself would not have. */
    private static final String UNUSED = String.join(
            ",",
            "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration",
            "org.springframework.boot.autoconfigure.jooq.JooqAutoConfiguration",
            "dev.waybill.modulith.WaybillModulithAutoConfiguration",
            "dev.waybill.spring.test.EmbeddedServiceBusAutoConfiguration");

    /** What the service has beside its data source. */
    enum Messaging {
        NONE,
        /** A sender and a session processor of the Azure SDK. */
        SDK,
        /** A relay and a consumer. */
        WAYBILL
    }

    /** Processor time of the process. */
    record Cost(double millis, double settledMillis) {}

    @InboxHandler(destination = Backlog.DESTINATION)
    void handle(String body) {}

    /** The process. */
    public static void main(String[] arguments) throws InterruptedException {
        var application = new SpringApplication(StartedService.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        // A service uses its database, with or without Waybill.
        var context = application.run(arguments);
        context.getBean(JdbcTemplate.class).execute("select 1");
        if (context.getEnvironment().getProperty("messaging", Messaging.class) == Messaging.SDK) {
            SdkAlone.start(context.getEnvironment().getRequiredProperty("waybill.servicebus.connection-string"));
        }
        System.out.println(STARTED);
        Thread.currentThread().join();
    }

    static Cost run(OutboxSchema schema, EmbeddedServiceBus bus, Messaging messaging) throws Exception {
        Process process = new ProcessBuilder(command(schema, bus, messaging))
                .redirectErrorStream(true)
                .start();
        try {
            awaitStart(process);
            double started = cpuMillis(process);
            Thread.sleep(SETTLES_SECONDS * 1_000L);
            return new Cost(started, cpuMillis(process));
        } finally {
            process.destroy();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private static List<String> command(OutboxSchema schema, EmbeddedServiceBus bus, Messaging messaging) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.add(StartedService.class.getName());
        command.addAll(List.of(
                "--spring.datasource.url=" + schema.urlFor("service"),
                "--spring.datasource.hikari.maximum-pool-size=20",
                "--spring.datasource.hikari.minimum-idle=1",
                "--spring.autoconfigure.exclude=" + UNUSED,
                "--spring.main.banner-mode=off",
                "--messaging=" + messaging,
                "--waybill.enabled=" + (messaging == Messaging.WAYBILL),
                "--waybill.schema=" + schema.name(),
                "--waybill.servicebus.connection-string=" + bus.connectionString(),
                "--waybill.destinations." + Backlog.DESTINATION + ".sessions=true",
                "--waybill.consumers.idle.queue=" + Backlog.DESTINATION,
                "--waybill.consumers.idle.sessions=true"));
        return command;
    }

    // What comes after it is read by nobody, and little enough for the pipe.
    private static void awaitStart(Process process) throws IOException {
        BufferedReader log = process.inputReader(StandardCharsets.UTF_8);
        var seen = new ArrayList<String>();
        for (String line = log.readLine(); !STARTED.equals(line); line = log.readLine()) {
            if (line == null) {
                throw new IllegalStateException("The service has not started:\n" + String.join("\n", seen));
            }
            seen.add(line);
        }
    }

    private static double cpuMillis(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }
}
