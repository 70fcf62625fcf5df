package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.spring.TestService;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A service without a web server, whose only work is Waybill's: it lives until its context is closed. */
@ExtendWith(TestService.Extension.class)
class ServiceOfThreadsAloneTest {
    private TestService service;
    private String queue;

    @BeforeEach
    void take(TestService service) {
        this.service = service;
        queue = service.newQueue();
    }

    private Process start(String url, Map<String, String> variables, String... more) throws IOException {
        var arguments = List.of(
                "--spring.datasource.url=" + url,
                "--spring.liquibase.enabled=false",
                "--spring.flyway.enabled=false",
                "--waybill.schema=" + service.schema().value(),
                "--spring.autoconfigure.exclude=" + Apps.WITHOUT_JPA,
                "--spring.data.jpa.repositories.enabled=false",
                "--spring.datasource.hikari.connection-timeout=1000",
                "--spring.datasource.hikari.maximum-pool-size=20",
                "--waybill.servicebus.connection-string=" + service.bus().connectionString());
        return ServiceProcess.start(
                List.of(),
                variables,
                List.of(),
                Stream.concat(arguments.stream(), Arrays.stream(more)).toArray(String[]::new));
    }

    @Test
    void a_relay_alone_publishes_after_main_has_returned_and_ends_with_its_context() throws Exception {
        Process process = start(service.jdbcUrl(), Map.of(), "--waybill.destinations." + queue + ".sessions=false");
        try {
            append(process, "m1");
            await().until(() -> service.bus().journal(queue).storedCount() == 1);
            assertThat(process.isAlive()).isTrue();

            process.outputWriter().close();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Nothing has started yet that could keep it. */
    @Test
    void a_service_that_waits_for_its_database_goes_on_waiting() throws Exception {
        Process process = start(
                service.jdbcUrl().replaceFirst("//[^/]+/", "//127.0.0.1:1/"),
                Map.of(),
                "--waybill.destinations." + queue + ".sessions=false");
        try {
            assertThat(process.waitFor(4, TimeUnit.SECONDS))
                    .as("ends by itself")
                    .isFalse();

            process.outputWriter().close();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_process_without_relay_and_consumers_ends_with_main() throws Exception {
        Process process = start(service.jdbcUrl(), Map.of());
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    private void append(Process process, String id) throws IOException {
        var lines = process.outputWriter();
        lines.write(queue + " " + id + "\n");
        lines.flush();
    }
}
