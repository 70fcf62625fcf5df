package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.InstalledTool;
import dev.waybill.standalone.InstalledTool.Judgement;
import dev.waybill.standalone.topology.export.Export.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

        assertThat(format(Declared.export(yaml, Format.TERRAFORM).text()).exitCode())
                .isZero();
    }

    @Test
    void a_file_that_is_not_formatted_is_noticed() throws Exception {
        String text = "variable \"a\" {\n  type = string\n  description = \"b\"\n}\n";

        assertThat(format(text).exitCode()).isEqualTo(3);
    }

    @Test
    void a_file_that_is_not_in_the_language_is_noticed() throws Exception {
        assertThat(format("variable \"a\" {\n  description = \"${\"\n}\n").exitCode())
                .isEqualTo(2);
    }

    private Judgement format(String text) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("main.tf"), text);
        return InstalledTool.of("terraform", directory, "version").judge("fmt", "-check", "-diff", "-no-color");
    }
}
