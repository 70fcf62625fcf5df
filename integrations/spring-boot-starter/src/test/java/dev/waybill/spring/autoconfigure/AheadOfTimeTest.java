package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.spring.TestService;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

/** A context that was processed ahead of time keeps its beans: what the environment says later must count all the same. */
@ExtendWith(TestService.Extension.class)
class AheadOfTimeTest {
    @TempDir
    private Path folder;

    @Test
    void destinations_that_come_with_the_environment_at_run_time_are_published(TestService service) throws Exception {
        String queue = service.newQueue();
        String[] arguments = {
            "--spring.datasource.url=" + service.jdbcUrl(),
            "--spring.liquibase.enabled=false",
            "--spring.autoconfigure.exclude=" + Apps.WITHOUT_JPA,
            "--spring.data.jpa.repositories.enabled=false",
            "--spring.datasource.hikari.maximum-pool-size=20",
            "--waybill.schema=" + service.schema().value()
        };
        process(arguments);

        Process process = ServiceProcess.start(
                List.of(folder.resolve("classes"), folder.resolve("resources")),
                Map.of(
                        "WAYBILL_DESTINATIONS_" + queue.toUpperCase(Locale.ROOT) + "_SESSIONS",
                        "false",
                        "WAYBILL_SERVICEBUS_CONNECTIONSTRING",
                        service.bus().connectionString()),
                List.of("-Dspring.aot.enabled=true"),
                arguments);
        try {
            var lines = process.outputWriter();
            lines.write(queue + " m1\n");
            lines.flush();

            await().until(() -> service.bus().journal(queue).storedCount() == 1);
        } finally {
            process.destroyForcibly();
        }
    }

    private void process(String... arguments) throws IOException {
        Settings settings = Settings.builder()
                .sourceOutput(folder.resolve("sources"))
                .resourceOutput(folder.resolve("resources"))
                .classOutput(folder.resolve("classes"))
                .groupId("shop")
                .artifactId("shop")
                .build();
        new SpringApplicationAotProcessor(ServiceProcess.class, settings, arguments).process();
        compile();
    }

    private void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (Stream<Path> sources = Files.walk(folder.resolve("sources"));
                var files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> java =
                    sources.filter(file -> file.toString().endsWith(".java")).toList();
            String path = folder.resolve("classes")
                    + System.getProperty("path.separator")
                    + System.getProperty("java.class.path");
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-nowarn",
                                    "-cp",
                                    path,
                                    "-d",
                                    folder.resolve("classes").toString()),
                            null,
                            files.getJavaFileObjectsFromPaths(java))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }
}
