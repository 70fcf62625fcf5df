package dev.waybill.standalone.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Values as people give them. */
class ChartValuesTest {
    private static final String NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    @TempDir
    private Path directory;

    @Test
    void a_job_of_a_database_has_a_name_that_kubernetes_takes() throws Exception {
        Manifests chart = rendered("""
                migrations:
                  databases:
                    - { name: order_DB, user: o, secret: s }
                    - { name: a-very-long-name-of-a-database-that-somebody-has-chosen-once, user: o, secret: s }
                    - { name: a-very-long-name-of-a-database-that-somebody-has-chosen-twice, user: o, secret: s }
                """);

        List<String> names = chart.ofKind("Job").stream()
                .map(job -> String.valueOf(Manifests.asMap(job.get("metadata")).get("name")))
                .toList();
        assertThat(names)
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).matches(NAME).hasSizeLessThanOrEqualTo(63));
    }

    @Test
    void names_that_look_like_numbers_stay_names() throws Exception {
        Manifests chart = rendered("""
                secret: "123"
                serviceAccount: { name: "1e3", clientId: "0" }
                keda:
                  clientId: "1"
                  consumers: [{ name: c, deployment: "007", namespace: "1", queue: "2", messages: 1, min: 0, max: 1 }]
                """);

        assertThat(field(chart, "ServiceAccount", "metadata", "name")).isEqualTo("1e3");
        assertThat(field(chart, "Deployment", "spec", "template", "spec", "serviceAccountName"))
                .isEqualTo("1e3");
        assertThat(field(chart, "ScaledObject", "spec", "scaleTargetRef", "name"))
                .isEqualTo("007");
        assertThat(field(chart, "Deployment", "spec", "template", "spec", "volumes"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .anySatisfy(volume -> assertThat(Manifests.asMap(volume).get("secret"))
                        .hasFieldOrPropertyWithValue("secretName", "123"));
    }

    private static Object field(Manifests chart, String kind, String... path) {
        Object value = chart.ofKind(kind).get(0);
        for (String name : path) {
            value = Manifests.asMap(value).get(name);
        }
        return value;
    }

    @Test
    void a_configuration_comes_out_as_it_went_in() throws Exception {
        String config = """
                config:
                  database:
                    main: { url: "jdbc:postgresql://h/d?a=b&c='d'", user: "007", schema: "1e3", password: "  yes: # {{ .Values.secret }} \\"'\\\\ \\t é \\U0001F600" }
                    other: { url: "no", user: "null", password: "line one\\nline two\\n\\n", schema: "2026-01-01" }
                  destination:
                    orders: { max-message-size: 104857600, time-to-live: "12:30:45", duplicate-window: 0, max-delivery-count: 2000 }
                    events: { type: topic, subscription: { f: { rule: { big: "a > 1.0 and b = '0x1F'", "$Default": "~" } } } }
                """;
        Manifests chart = rendered(config);
        Object text =
                Manifests.asMap(chart.ofKind("ConfigMap").get(0).get("data")).get("waybill.yaml");
        Map<String, Object> in = new Yaml().load(config);
        Map<String, Object> out = new Yaml().load(String.valueOf(text));
        assertThat(Manifests.asMap(Manifests.asMap(out.get("database")).get("other")))
                .isEqualTo(Manifests.asMap(
                        Manifests.asMap(Manifests.asMap(in.get("config")).get("database"))
                                .get("other")));
        assertThat(out.toString()).contains("  yes: # {{ .Values.secret }} \"'\\ \t é", "max-message-size=104857600");
    }

    private Manifests rendered(String values) throws IOException {
        return Manifests.rendered(Files.writeString(Files.createTempFile(directory, "values", ".yaml"), values));
    }
}
