package dev.waybill.standalone.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.InstalledTool;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judges of others, each where it is installed: whoever deploys uses them, and not our models. */
class ToolsTest {
    private static final Path DEPLOY = Path.of("../../deploy");

    @TempDir
    private Path directory;

    @Test
    void kubeconform_finds_nothing_in_the_chart() throws Exception {
        InstalledTool kubeconform = InstalledTool.of("kubeconform", directory, "-v");
        Path rendered = directory.resolve("rendered.yaml");
        Files.writeString(rendered, Manifests.rendered().text());

        kubeconform.run("-strict", "-ignore-missing-schemas", rendered.toString());
    }

    @Test
    void kustomize_builds_the_overlay_with_its_own_image_identity_and_configuration() throws Exception {
        InstalledTool kubectl = InstalledTool.of("kubectl", DEPLOY, "version", "--client");

        Manifests built = Manifests.of(kubectl.run("kustomize", "kubernetes/overlays/example"));

        var deployment = built.only(Deployment.class).getSpec();
        assertThat(deployment.getReplicas()).isEqualTo(3);
        var pod = deployment.getTemplate().getSpec();
        assertThat(pod.getContainers().get(0).getImage()).startsWith("registry.example.com/waybill-relay:");
        String configuration = built.only(ConfigMap.class).getMetadata().getName();
        assertThat(configuration).matches("waybill-relay-config-\\w+");
        assertThat(pod.getVolumes())
                .as("a configuration that changes has another name, so the pods are made anew")
                .anyMatch(volume -> volume.getConfigMap() != null
                        && configuration.equals(volume.getConfigMap().getName()));
    }

    @Test
    void systemd_takes_the_unit() throws Exception {
        InstalledTool systemd = InstalledTool.of("systemd-analyze", DEPLOY, "--version");

        String said = systemd.run(
                "verify", "--man=no", Path.of("systemd/waybill-relay.service").toString());

        assertThat(said).doesNotContain("waybill-relay.service:");
    }
}
