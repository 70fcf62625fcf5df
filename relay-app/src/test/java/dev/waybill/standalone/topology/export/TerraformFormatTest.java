package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.standalone.topology.export.Export.Format;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Terraform's own formatter reads what is exported, where it is installed. It knows the language, and nothing of
 * Azure.
 */
class TerraformFormatTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"basic", "standard", "premium"})
    void an_exported_file_is_formatted_as_terraform_formats(String tier) throws Exception {
        String yaml = tier.equals("basic")
                ? "namespace: { main: { host: waybill-test.servicebus.windows.net, tier: basic } }\n"
                        + "destination: { orders: { duplicate-window: 0 } }"
                : Declared.full(tier);

        assertThat(format(Declared.export(yaml, Format.TERRAFORM).text())).isEqualTo("0 ");
    }

    @Test
    void a_file_that_is_not_formatted_is_noticed() throws Exception {
        assertThat(format("variable \"a\" {\n  type = string\n  description = \"b\"\n}\n"))
                .startsWith("3 ");
    }

    @Test
    void a_file_that_is_not_in_the_language_is_noticed() throws Exception {
        assertThat(format("variable \"a\" {\n  description = \"${\"\n}\n")).startsWith("2 ");
    }

    private String format(String text) throws IOException, InterruptedException {
        boolean there = Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "terraform")));
        assumeTrue(there, "terraform is not on the path");
        LoggerFactory.getLogger(TerraformFormatTest.class).info("Judged by {}", run("version"));
        Files.writeString(directory.resolve("main.tf"), text);
        return run("fmt", "-check", "-diff", "-no-color");
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("terraform"), Stream.of(arguments))
                        .toList())
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors").toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + said.strip();
    }
}
