package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A service without a web server in a JVM of its own, whose {@code main} returns. For each line of its input, of a destination and an
 * id, it appends a message; at the end of the input it closes its context.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ServiceProcess {
    static final String RETURNS = "main returns";

    public static void main(String[] arguments) {
        var application = new SpringApplication(ServiceProcess.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        ConfigurableApplicationContext context = application.run(arguments);
        var reader = new Thread(() -> serve(context), "test-input");
        reader.setDaemon(true);
        reader.start();
        System.out.println(RETURNS);
    }

    private static void serve(ConfigurableApplicationContext context) {
        try (context;
                var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                context.getBean(TransactionTemplate.class)
                        .executeWithoutResult(status -> context.getBean(Outbox.class)
                                .append(OutboxMessage.to(words[0])
                                        .id(words[1])
                                        .text("x")
                                        .build()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one, and returns when its {@code main} has returned. */
    static Process start(List<Path> first, Map<String, String> variables, List<String> options, String... arguments)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        var places = new ArrayList<String>();
        first.forEach(place -> places.add(place.toString()));
        places.add(System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", String.join(System.getProperty("path.separator"), places)));
        command.add(ServiceProcess.class.getName());
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        var seen = new ArrayList<String>();
        for (String line = output.readLine(); !RETURNS.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new IllegalStateException("The service has not started:\n" + String.join("\n", seen));
            }
            seen.add(line);
        }
        return process;
    }
}
