package dev.waybill.standalone.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.marcnuri.helm.Helm;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.config.Sources;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The chart as Helm renders it, read by the models of Kubernetes' API, and what stands beside it in {@code deploy}. */
class KubernetesTest {
    private static final Path KUBERNETES = Path.of("../../deploy/kubernetes");
    private static final String CONFIG_MAP = "waybill-relay-config";

    private static Manifests chart;

    @TempDir
    private Path directory;

    @BeforeAll
    static void render() {
        chart = Manifests.rendered();
    }

    @Test
    void the_chart_passes_helms_own_check() {
        var result = new Helm(Manifests.CHART).lint().strict().call();

        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    }

    @Test
    void no_object_has_a_field_that_kubernetes_does_not_know() {
        assertThat(chart.kinds())
                .containsExactlyInAnyOrder(
                        "NetworkPolicy", "PodDisruptionBudget", "ServiceAccount", "ConfigMap", "Deployment", "Job");
        chart.only(NetworkPolicy.class);
        chart.only(PodDisruptionBudget.class);
        chart.only(ServiceAccount.class);
        chart.only(ConfigMap.class);
        chart.only(Deployment.class);
        chart.only(Job.class);
    }

    @Test
    void a_misspelt_field_would_be_seen() {
        assertThatThrownBy(() -> Manifests.of(chart.text().replace("readinessProbe:", "readynessProbe:"))
                        .only(Deployment.class))
                .hasMessageContaining("readynessProbe");
    }

    @Test
    void no_pod_runs_as_root_writes_its_image_or_speaks_to_kubernetes() {
        for (PodSpec pod : pods()) {
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getEnableServiceLinks()).isFalse();
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            for (Container container : pod.getContainers()) {
                var security = container.getSecurityContext();
                assertThat(security.getReadOnlyRootFilesystem()).isTrue();
                assertThat(security.getAllowPrivilegeEscalation()).isFalse();
                assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
            }
        }
    }

    @Test
    void an_outage_of_others_restarts_no_relay_and_keeps_none_from_starting() {
        Container relay = relay().getContainers().get(0);

        assertThat(relay.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/livez");
        assertThat(relay.getStartupProbe().getHttpGet().getPath()).isEqualTo("/livez");
        assertThat(relay.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
    }

    @Test
    void the_kubelet_waits_longer_than_a_relay_takes_to_hand_over() throws Exception {
        assertThat(relay().getTerminationGracePeriodSeconds())
                .isGreaterThan(configuration(chart.only(ConfigMap.class).getData(), Map.of())
                                .process()
                                .shutdownDeadline()
                                .toSeconds()
                        + 5);
    }

    @Test
    void a_processor_limit_does_not_throttle_a_relay_until_its_leases_are_gone() {
        var resources = relay().getContainers().get(0).getResources();

        assertThat(resources.getLimits()).containsOnlyKeys("memory");
        assertThat(resources.getLimits().get("memory"))
                .isEqualTo(resources.getRequests().get("memory"));
    }

    @Test
    void migrations_run_as_the_owner_with_a_secret_of_their_own() throws Exception {
        Job job = chart.only(Job.class);
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        Configuration configuration = configuration(chart.only(ConfigMap.class).getData(), variables(container(job)));

        assertThat(container(job).getArgs()).containsExactly("migrate", "up", "--database=main");
        assertThat(configuration.databases().get(0).connection().signIn().user())
                .contains("waybill_owner");
        assertThat(secret(pod)).isEqualTo("waybill-owner-database").isNotEqualTo(secret(relay()));
    }

    @Test
    void without_a_password_no_pod_needs_a_secret_and_a_migration_has_an_identity() throws Exception {
        Manifests keyless = Manifests.rendered(values("""
                secret: ""
                migrations:
                  databases: [{ name: main, user: owner, serviceAccount: owner }, { name: other, user: o }]
                """));

        assertThat(keyless.text()).doesNotContain("secretName");
        assertThat(keyless.all(Job.class))
                .extracting(job -> job.getSpec().getTemplate().getSpec().getServiceAccountName())
                .containsExactly("owner", "waybill-relay");
        assertThat(keyless.all(Job.class))
                .allSatisfy(job -> assertThat(
                                job.getSpec().getTemplate().getMetadata().getLabels())
                        .containsEntry("azure.workload.identity/use", "true"));
    }

    @Test
    void another_configuration_is_another_rollout_and_another_migration() throws Exception {
        Manifests other = Manifests.rendered(values("config: { destination: { more: {} } }"));

        assertThat(checksum(other)).isNotEqualTo(checksum(chart));
        assertThat(migration(other)).isNotEqualTo(migration(chart));
    }

    @Test
    void pods_of_the_version_before_find_their_configuration_while_the_new_one_does_not_get_ready() throws Exception {
        Manifests other = Manifests.rendered(values("config: { destination: { more: {} } }"));

        assertThat(configMap(other)).isEqualTo(configMap(chart));
        assertThat(chart.only(ConfigMap.class).getMetadata().getName()).isEqualTo(configMap(chart));
        assertThat(chart.only(ConfigMap.class).getImmutable()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resources: { limits: { memory: 512Mi } }",
                "image: { pullPolicy: Always }",
                "image: { tag: other }",
                "existingConfigMap: mine",
                "migrations: { keepSeconds: 2592000 }",
                "migrations: { databases: [{ name: main, user: waybill_owner, secret: another }] }"
            })
    void an_upgrade_never_changes_a_job_that_is_there(String values) throws Exception {
        assertThat(migration(Manifests.rendered(values(values)))).isNotEqualTo(migration(chart));
    }

    @Test
    void each_of_several_databases_is_migrated_by_its_own_owner() throws Exception {
        List<Job> jobs = Manifests.rendered(values("""
                        migrations:
                          databases:
                            - { name: main, user: owner-1, secret: secret-1 }
                            - { name: eu-west, user: owner-2, secret: secret-2 }
                        """)).all(Job.class);

        assertThat(jobs).extracting(job -> job.getMetadata().getName()).doesNotHaveDuplicates();
        assertThat(jobs)
                .extracting(
                        job -> container(job).getArgs(),
                        job -> variables(container(job)),
                        job -> secret(job.getSpec().getTemplate().getSpec()))
                .containsExactly(
                        tuple(
                                List.of("migrate", "up", "--database=main"),
                                Map.of("WAYBILL_DATABASE_MAIN_USER", "owner-1"),
                                "secret-1"),
                        tuple(
                                List.of("migrate", "up", "--database=eu-west"),
                                Map.of("WAYBILL_DATABASE_EU_WEST_USER", "owner-2"),
                                "secret-2"));
    }

    @Test
    void a_chart_without_a_configuration_is_refused() {
        assertThatThrownBy(() -> new Helm(Manifests.CHART).template().call())
                .hasMessageContaining("config is needed, or existingConfigMap");
    }

    @Test
    void another_port_and_other_ways_out_are_let_through() throws Exception {
        Manifests other = Manifests.rendered(values("""
                config: { http: { port: 9090 } }
                networkPolicy: { extraEgress: [{ ports: [{ protocol: TCP, port: 4318 }] }] }
                """));

        assertThat(pod(other).getContainers().get(0).getPorts())
                .extracting(ContainerPort::getContainerPort)
                .containsExactly(9090);
        assertThat(other.only(NetworkPolicy.class).getSpec().getEgress().toString())
                .contains("4318");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    replica: 3                                    | replica
                    replicas: two                                 | replicas
                    image: { repository: x, digest: "sha256:abc" } | digest
                    keda: { consumers: [{ name: c }] }            | deployment
                    """)
    void a_value_that_the_chart_does_not_know_is_refused(String values, String named) throws Exception {
        Path file = values(values);

        assertThatThrownBy(() -> Manifests.rendered(file)).hasMessageContaining(named);
    }

    @Test
    void the_kustomize_base_is_the_chart() throws IOException {
        Manifests rendered = Manifests.rendered(values("""
                existingConfigMap: waybill-relay-config
                migrations: { jobName: waybill-relay-migrate, keepSeconds: 600 }
                """));
        Path base = KUBERNETES.resolve("base/relay.yaml");
        String expected = "# Made from the chart: mvn -pl operations/cli -am test -Dtest=KubernetesTest"
                + " -Dwaybill.docs.write=true\n"
                + rendered.text().replaceAll("(?m)^# Source: .*\\R", "");
        String configuration = chart.only(ConfigMap.class).getData().get("waybill.yaml");
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(base, expected);
            Files.writeString(base.resolveSibling("waybill.yaml"), configuration);
        }

        assertThat(base).hasContent(expected);
        assertThat(base.resolveSibling("waybill.yaml")).hasContent(configuration);
        assertThat(configMap(rendered)).isEqualTo(CONFIG_MAP);
    }

    @Test
    void the_example_overlay_has_a_configuration_that_the_relay_takes_and_changes_what_is_there() throws Exception {
        Path overlay = KUBERNETES.resolve("overlays/example");
        Map<String, Object> kustomization =
                Manifests.asMap(new Yaml().load(Files.readString(overlay.resolve("kustomization.yaml"))));

        assertThat(overlay.resolve("../../base/kustomization.yaml")).exists();
        assertThat(kustomization.get("images").toString()).contains("name=waybill-relay,");
        assertThat(kustomization.get("configMapGenerator").toString()).contains(CONFIG_MAP);
        for (Object patch : (List<?>) kustomization.get("patches")) {
            Map<String, Object> target = Manifests.asMap(Manifests.asMap(patch).get("target"));
            assertThat(chart.ofKind(target.get("kind").toString()).toString()).contains("name=" + target.get("name"));
        }
        configuration(Map.of("waybill.yaml", Files.readString(overlay.resolve("waybill.yaml"))), Map.of());
    }

    @Test
    void systemd_waits_longer_than_a_relay_takes_to_hand_over() throws IOException {
        String unit = Files.readString(Path.of("../../deploy/systemd/waybill-relay.service"));

        assertThat(unit).contains("TimeoutStopSec=40", "KillSignal=SIGTERM", "Restart=always", "DynamicUser=yes");
    }

    private static List<PodSpec> pods() {
        return List.of(relay(), chart.only(Job.class).getSpec().getTemplate().getSpec());
    }

    private static PodSpec relay() {
        return pod(chart);
    }

    private static PodSpec pod(Manifests manifests) {
        return manifests.only(Deployment.class).getSpec().getTemplate().getSpec();
    }

    private static Container container(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    private static Map<String, String> variables(Container container) {
        return container.getEnv().stream().collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    private static String migration(Manifests manifests) {
        return manifests.only(Job.class).getMetadata().getName();
    }

    private static String checksum(Manifests manifests) {
        return manifests
                .only(Deployment.class)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .get("checksum/config");
    }

    private static String configMap(Manifests manifests) {
        return pod(manifests).getVolumes().stream()
                .filter(volume -> volume.getName().equals("config"))
                .map(volume -> volume.getConfigMap().getName())
                .findFirst()
                .orElseThrow();
    }

    private static String secret(PodSpec pod) {
        return pod.getVolumes().stream()
                .filter(volume -> volume.getName().equals("secrets"))
                .map(volume -> volume.getSecret().getSecretName())
                .findFirst()
                .orElseThrow();
    }

    private Path values(String yaml) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "values", ".yaml"), yaml);
    }

    private Configuration configuration(Map<String, String> data, Map<String, String> variables) throws IOException {
        Path file = values(data.get("waybill.yaml").replaceAll("/run/secrets/waybill", directory.toString()));
        Files.writeString(directory.resolve("password"), "secret");
        return Configuration.of(Sources.of(Map.of(), new ProcessEnvironment(Map.of(), variables), Optional.of(file)));
    }
}
