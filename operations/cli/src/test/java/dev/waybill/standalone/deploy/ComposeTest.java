package dev.waybill.standalone.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.standalone.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The compose file for newcomers: what it builds and mounts exists, and its relay takes its options. */
class ComposeTest {
    private static final Path COMPOSE = Path.of("../../deploy/compose");
    private static final JsonNode SERVICES = read().path("services");

    @TempDir
    private Path directory;

    @Test
    void what_it_builds_and_mounts_exists() {
        assertThat(SERVICES.properties()).hasSize(4).allSatisfy(service -> {
            JsonNode build = service.getValue().path("build");
            if (!build.isMissingNode()) {
                assertThat(COMPOSE.resolve(build.asText()).resolve("Dockerfile"))
                        .exists();
            }
            for (JsonNode mount : service.getValue().path("volumes")) {
                assertThat(COMPOSE.resolve(mount.asText().replaceFirst(":.*", "")))
                        .isRegularFile();
            }
        });
    }

    @Test
    void a_service_waits_for_services_that_exist() {
        for (JsonNode service : SERVICES) {
            assertThat(service.path("depends_on").properties())
                    .allSatisfy(
                            other -> assertThat(SERVICES.has(other.getKey())).isTrue());
        }
    }

    @Test
    void the_relay_takes_its_options_and_reaches_the_other_services_by_their_names() throws IOException {
        Map<String, String> variables = Map.of(
                "WAYBILL_DATABASE_MAIN_PASSWORD",
                SERVICES.at("/relay/environment/WAYBILL_DATABASE_MAIN_PASSWORD").asText());

        var printed = Program.with(directory, Files.readString(COMPOSE.resolve("waybill.yaml")))
                .run(variables, "config", "print", "--redacted");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.exitCode()).isZero();
        assertThat(printed.out()).contains("//postgres:5432/shop", "//broker:5300");
        assertThat(SERVICES.has("postgres") && SERVICES.has("broker")).isTrue();
        assertThat(variables)
                .containsValue(
                        SERVICES.at("/postgres/environment/POSTGRES_PASSWORD").asText());
    }

    private static JsonNode read() {
        try {
            return new ObjectMapper().valueToTree(new Yaml().load(Files.readString(COMPOSE.resolve("compose.yaml"))));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
