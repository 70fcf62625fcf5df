package dev.waybill.standalone.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.cli.Commands;
import dev.waybill.standalone.config.ProcessEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The scalers, for which there are no models: what they start and ask is run. */
@ExtendWith(PostgresExtension.class)
class KedaTest {
    private static final String HOSTILE = "it's \"odd\": # {{ x }}";

    @TempDir
    private Path directory;

    @Test
    void a_scaler_of_a_consumer_names_its_entity_and_its_identity() throws Exception {
        Manifests chart = rendered("""
                keda:
                  clientId: 11111111-1111-1111-1111-111111111111
                  consumers:
                    - { name: billing, deployment: b, namespace: shop, queue: orders, messages: 200, min: 1, max: 8 }
                    - { name: fraud, deployment: f, namespace: shop, topic: t, subscription: s, messages: 9, min: 0, max: 2 }
                """);

        assertThat(chart.ofKind("ScaledObject"))
                .extracting(KedaTest::trigger)
                .extracting(trigger -> trigger.get("metadata"))
                .containsExactlyInAnyOrder(
                        Map.of("namespace", "shop", "queueName", "orders", "messageCount", "200"),
                        Map.of("namespace", "shop", "topicName", "t", "subscriptionName", "s", "messageCount", "9"));
        assertThat(chart.ofKind("TriggerAuthentication").toString())
                .contains("provider=azure-workload", "identityId=11111111-1111-1111-1111-111111111111");
    }

    @Test
    void a_scaler_by_sessions_asks_the_relay_and_needs_no_identity() throws Exception {
        Manifests chart = rendered("""
                keda:
                  consumers:
                    - { name: billing, deployment: b, queue: o-1, sessions: 4, min: 0, max: 8 }
                    - { name: fraud, deployment: f, topic: t, subscription: "s&x", sessions: 1, min: 0, max: 2 }
                """);

        assertThat(chart.ofKind("ScaledObject"))
                .extracting(KedaTest::trigger)
                .extracting(trigger -> trigger.get("type"), trigger -> trigger.get("metadata"))
                .containsExactlyInAnyOrder(
                        tuple("metrics-api", sessions("o-1", "4")), tuple("metrics-api", sessions("t%2Fs%26x", "1")));
        assertThat(chart.ofKind("TriggerAuthentication")).isEmpty();
        assertThat(chart.ofKind("Service").get(0).toString()).contains("name=waybill-relay-scale", "targetPort=http");
    }

    private static Map<String, String> sessions(String entity, String target) {
        return Map.of(
                "url",
                "http://waybill-relay-scale.shop.svc/scale/sessions?entity=" + entity,
                "valueLocation",
                "sessions",
                "targetValue",
                target);
    }

    @Test
    void consumers_go_one_at_a_time_and_not_soon() throws Exception {
        Manifests chart = rendered("""
                keda:
                  clientId: x
                  consumers:
                    - { name: c, deployment: d, namespace: shop, queue: q, messages: 1, min: 1, max: 9, scaleDownSeconds: 900 }
                """);

        assertThat(chart.ofKind("ScaledObject").get(0).get("spec").toString())
                .contains("stabilizationWindowSeconds=900", "type=Pods, value=1", "cooldownPeriod=900");
    }

    @Test
    void a_redrive_that_hangs_ends_and_one_at_work_is_not_ended_by_a_new_rule() throws Exception {
        assertThat(redrive("waybill").get("spec").toString())
                .contains("activeDeadlineSeconds=3600", "rollout={strategy=gradual}", "maxReplicaCount=1");
    }

    @Test
    void a_scaler_without_an_identity_or_an_entity_is_refused() {
        assertThatThrownBy(() -> rendered("""
                        keda: { consumers: [{ name: c, deployment: d, namespace: shop, queue: q, messages: 1, min: 0, max: 1 }] }
                        """)).hasMessageContaining("keda.clientId is needed");
        assertThatThrownBy(() -> rendered("""
                        keda: { clientId: x, consumers: [{ name: c, deployment: d, namespace: shop, messages: 1, min: 0, max: 1 }] }
                        """)).hasMessageContaining("queue, or topic and subscription");
        assertThatThrownBy(() -> rendered("""
                        keda: { clientId: x, consumers: [{ name: c, deployment: d, namespace: shop, queue: q, min: 0, max: 1 }] }
                        """)).hasMessageContaining("needs messages or sessions");
    }

    @Test
    void the_question_of_a_redrive_is_one_that_the_tables_answer_whatever_the_reason(TestDatabase database)
            throws Exception {
        String schema = database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()));
        Map<String, Object> job = redrive(schema);
        var question =
                Manifests.asMap(trigger(job).get("metadata")).get("query").toString();

        assertThat(answer(database, question)).isZero();
        for (String reason : List.of(HOSTILE, HOSTILE, "other")) {
            letter(database, schema, reason);
        }
        assertThat(answer(database, question)).isOne();
    }

    @Test
    void the_command_of_a_redrive_is_one_that_the_relay_knows() throws Exception {
        Map<String, Object> job = redrive("waybill");
        var arguments = arguments(job);
        var out = new StringWriter();

        int code = Commands.execute(
                new ProcessEnvironment(Map.of(), Map.of()),
                new PrintWriter(out),
                new PrintWriter(out),
                arguments.toArray(String[]::new));

        assertThat(arguments).contains("--because=" + HOSTILE, "--reason=Sent once more by the rule timeouts");
        // Every option is known; there is no configuration here, and so no database.
        assertThat(code).isEqualTo(2);
        assertThat(out.toString()).contains("database").doesNotContain("Unknown option", "Missing required");
    }

    private Map<String, Object> redrive(String schema) throws IOException {
        return rendered("""
                        keda:
                          redrives:
                            - name: timeouts
                              database: main
                              schema: %s
                              connectionSecret: k
                              entity: orders
                              because: 'it''s "odd": # {{ x }}'
                              rate: 20
                        """.formatted(schema)).ofKind("ScaledJob").get(0);
    }

    private Manifests rendered(String values) throws IOException {
        return Manifests.rendered(Files.writeString(Files.createTempFile(directory, "values", ".yaml"), values));
    }

    private static Map<String, Object> trigger(Map<String, Object> scaled) {
        return Manifests.asMap(((List<?>) Manifests.asMap(scaled.get("spec")).get("triggers")).get(0));
    }

    private static List<String> arguments(Map<String, Object> job) {
        var template =
                Manifests.asMap(Manifests.asMap(Manifests.asMap(job.get("spec")).get("jobTargetRef"))
                        .get("template"));
        var container =
                Manifests.asMap(((List<?>) Manifests.asMap(template.get("spec")).get("containers")).get(0));
        return ((List<?>) container.get("args")).stream().map(String::valueOf).toList();
    }

    private static long answer(TestDatabase database, String question) throws Exception {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(question)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void letter(TestDatabase database, String schema, String reason) throws Exception {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.prepareStatement("""
                        with letter as (
                          insert into %1$s.dead_letter_message
                            (key, entity, sequence_number, enqueued_at, reason, message_id, payload)
                          values (gen_random_uuid(), 'orders', 1, now(), ?, 'm', '') returning id)
                        insert into %1$s.dead_letter_state (id, state) select id, 'open' from letter""".formatted(schema))) {
            statement.setString(1, reason);
            statement.executeUpdate();
        }
    }
}
